/** Characters of one answer, more or less: some 10,000 tokens. Hosts cut, or refuse, what is much longer. */
export const ANSWER_CHARACTERS_MAX = 40_000;
/** Of those, what an article's metadata may take. */
export const METADATA_CHARACTERS_MAX = 8_000;
/** Of one entry in a list: its title, its address, its metadata. */
export const ENTRY_CHARACTERS_MAX = 250;
export const LISTED_ARTICLES_MAX = 50;
export const LISTED_ARTICLES_DEFAULT = 20;
export const FOUND_DOCUMENTS_MAX = 10;
export const FOUND_DOCUMENTS_DEFAULT = 5;
/** Edits of one update. */
export const EDITS_MAX = 50;
