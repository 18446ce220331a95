/** A bookmark of the document: its title and its depth, from 0. */
export interface Bookmark {
  readonly title: string;
  readonly depth: number;
}

const CHARACTERS_MAX = 250;
const NUMBERING =
  /^(?:(?:chapter|appendix|part|section|kapitel|chapitre)\s+)?(?:[\dA-Z]{1,3}(?:\.\d{1,3}){0,5}|[IVX]{1,5})[.:)]?\s+/i;

/** The bookmarks of the document, which give its headings and their levels. */
export class Outline {
  readonly #levels = new Map<string, number>();

  constructor(bookmarks: readonly Bookmark[]) {
    for (const { title, depth } of bookmarks) {
      const key = keyOf(title);
      if (key !== "" && !this.#levels.has(key)) this.#levels.set(key, Math.min(6, depth + 1));
    }
  }

  /** Returns the level, from 1, of a heading with these words; undefined if no bookmark has them. */
  levelOf(text: string): number | undefined {
    return this.#levels.size === 0 || text.length > CHARACTERS_MAX ? undefined : this.#levels.get(keyOf(text));
  }
}

/** Bookmarks often lack numbers and spaces that their headings have. */
function keyOf(text: string): string {
  const own = text.slice(0, CHARACTERS_MAX).trim();
  const bare = own.replace(NUMBERING, "");
  return (/\p{L}{2}/u.test(bare) ? bare : own).toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
