/** Approximate maximum characters of an answer, about 10,000 tokens. Hosts cut or refuse much longer ones. */
export const ANSWER_CHARACTERS_MAX = 40_000;
/** The part of them for an article's metadata. */
export const METADATA_CHARACTERS_MAX = 8_000;
/** The part of them for one entry in a list: its title, its address, its metadata. */
export const ENTRY_CHARACTERS_MAX = 250;
export const LISTED_ARTICLES_MAX = 50;
export const LISTED_ARTICLES_DEFAULT = 20;
export const FOUND_DOCUMENTS_MAX = 10;
export const FOUND_DOCUMENTS_DEFAULT = 5;
/** The text around each part that a search shows by default: five documents then take at most some 15,000 characters. */
export const CONTEXT_DEFAULT = "section";
export const CONTEXT_CHARACTERS_DEFAULT = 1_000;
/** Maximum edits of one update. */
export const EDITS_MAX = 50;
