/** Comparisons up to which the runtime's own search is used. It is fast for most texts, but may compare every character with every other. */
const OWN_COMPARISONS_MAX = 65_536;

/** Characters that the linear search reads in the time of one operation. */
const CHARACTERS_PER_OPERATION = 4;

/** Characters that the runtime's own search passes in the time of one operation, for most texts. */
const OWN_CHARACTERS_PER_OPERATION = 64;

/** Characters of the beginning that the runtime looks for. So it compares at most this number of characters at each place. */
const BEGINNING = 8;

/**
 * Finds one text in others in linear time (Knuth, Morris, Pratt 1977, "Fast pattern matching in strings").
 * O(characters of the searched text), and once O(characters of the wanted text). While nothing matches, the runtime finds the next beginning.
 */
export class TextSearch {
  readonly #wanted: string;
  #parts: Parts | undefined;

  /** @param wanted 1 to 65,535 UTF-16 units */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** True if a text holds the wanted one. */
  isIn(text: string): boolean {
    const wanted = this.#wanted;
    if (this.#isShort(text)) return text.includes(wanted);
    if (wanted.length > text.length) return false;
    this.#parts ??= partsOf(wanted);
    const { units, borders } = this.#parts;
    const beginning = wanted.slice(0, BEGINNING);
    let matched = 0;
    for (let at = 0; at < text.length; at++) {
      if (matched === 0) {
        at = text.indexOf(beginning, at);
        if (at < 0) return false;
      }
      const unit = text.charCodeAt(at);
      while (matched > 0 && units[matched] !== unit) matched = borders[matched - 1] as number;
      if (units[matched] === unit) matched++;
      if (matched === units.length) return true;
    }
    return false;
  }

  /** Operations of {@link isIn}, at most. Call it before: the first long text takes more. */
  operationsFor(text: string): number {
    if (this.#isShort(text)) return 1 + Math.floor(text.length / OWN_CHARACTERS_PER_OPERATION);
    if (this.#wanted.length > text.length) return 1;
    const begun = this.#parts === undefined ? this.#wanted.length : 0;
    return 1 + Math.floor((text.length + begun) / CHARACTERS_PER_OPERATION);
  }

  #isShort(text: string): boolean {
    return text.length * this.#wanted.length <= OWN_COMPARISONS_MAX;
  }
}

/** The wanted text, prepared for long texts. */
interface Parts {
  readonly units: Uint16Array;
  /** By length of a matched beginning, less 1: the longest shorter beginning that it also ends with. */
  readonly borders: Uint16Array;
}

function partsOf(wanted: string): Parts {
  const units = Uint16Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at));
  const borders = new Uint16Array(units.length);
  for (let at = 1, matched = 0; at < units.length; at++) {
    while (matched > 0 && units[matched] !== units[at]) matched = borders[matched - 1] as number;
    if (units[matched] === units[at]) matched++;
    borders[at] = matched;
  }
  return { units, borders };
}
