/** Words longer than this are one unknown piece, in characters: a rule of the teacher's tokenizer. */
const WORD_CHARACTERS_MAX = 100;

/** Cuts words into the pieces of a vocabulary: the longest that fits, again and again. */
export class WordPieces {
  readonly unknown: number;
  readonly #starting = new Map<string, number>();
  readonly #continuing = new Map<string, number>();
  #longest = 0;

  /** @param vocabulary the pieces in the order of their numbers; those that continue a word begin with `##` */
  constructor(vocabulary: readonly string[]) {
    for (const [id, piece] of vocabulary.entries()) {
      const continues = piece.startsWith("##") && piece.length > 2;
      const letters = continues ? piece.slice(2) : piece;
      (continues ? this.#continuing : this.#starting).set(letters, id);
      this.#longest = Math.max(this.#longest, letters.length);
    }
    this.unknown = this.idOf("[UNK]") ?? 0;
  }

  /** The number of a piece that can begin a word. */
  idOf(piece: string): number | undefined {
    return this.#starting.get(piece);
  }

  /** The pieces of one word; a word that they do not cover wholly is one unknown piece. */
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
