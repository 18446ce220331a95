import { seededRandom } from "./seeded-random.ts";

/** Text of invented words by a seed, spread as words of a language are: a few everywhere, most of them rare. */

const SYLLABLES = [
  "ba",
  "ter",
  "li",
  "mon",
  "ra",
  "ku",
  "sel",
  "no",
  "vi",
  "dar",
  "pe",
  "shu",
  "gal",
  "or",
  "min",
  "ta",
];
const WORDS = 20_000;

export class InventedText {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  word(): string {
    // The rank of a word falls with its share, as Zipf saw it.
    let rank = Math.floor(WORDS ** this.#random()) + 17;
    let word = "";
    for (; rank > 0; rank = Math.floor(rank / SYLLABLES.length)) word += SYLLABLES[rank % SYLLABLES.length];
    return word;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(" ");
  }

  /** Paragraphs as a page has them. */
  page(paragraphs: number): string {
    return Array.from({ length: paragraphs }, () => `${this.words(20)}. ${this.words(25)}.`).join("\n\n");
  }
}
