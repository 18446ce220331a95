import { must } from "../model/must.ts";

/** Words with more characters are one unknown word piece: a rule of the sentence encoder's tokenizer. */
const WORD_CHARACTERS_MAX = 100;

/** Cuts words into the word pieces of a vocabulary (WordPiece): always the longest that fits next. */
export class WordPieces {
  readonly unknown: number;
  readonly #starting = new Map<string, number>();
  readonly #continuing = new Map<string, number>();
  #longest = 0;

  /** @param vocabulary the word pieces in the order of their numbers; those that continue a word begin with `##` */
  constructor(vocabulary: readonly string[]) {
    for (const [id, piece] of vocabulary.entries()) {
      const continues = piece.startsWith("##") && piece.length > 2;
      const letters = continues ? piece.slice(2) : piece;
      (continues ? this.#continuing : this.#starting).set(letters, id);
      this.#longest = Math.max(this.#longest, letters.length);
    }
    this.unknown = must(this.idOf("[UNK]"), "the word piece for unknown words");
  }

  /** The number of a word piece that can begin a word; undefined if there is none. */
  idOf(piece: string): number | undefined {
    return this.#starting.get(piece);
  }

  /** The word pieces of a word. A word that they do not cover as a whole is one unknown word piece. */
  cut(word: string): readonly number[] {
    if (word.length > WORD_CHARACTERS_MAX && [...word].length > WORD_CHARACTERS_MAX) return [this.unknown];
    const ids: number[] = [];
    let start = 0;
    while (start < word.length) {
      const known = start === 0 ? this.#starting : this.#continuing;
      let end = Math.min(word.length, start + this.#longest);
      let id = known.get(word.slice(start, end));
      while (id === undefined && end > start) {
        end -= 1;
        id = known.get(word.slice(start, end));
      }
      if (id === undefined) return [this.unknown];
      ids.push(id);
      start = end;
    }
    return ids;
  }
}
