/** The words of the document, which decide what a hyphen at the end of a line means. */
export class Words {
  readonly #words = new Set<string>();
  static readonly #WORDS_MAX = 500_000;

  /** Adds the words of a line, hyphenated ones too. The last one may be half a word. */
  add(line: string): void {
    if (this.#words.size >= Words.#WORDS_MAX) return;
    for (const [word] of line.matchAll(/\p{L}[\p{L}\p{M}\p{N}'’-]*/gu)) {
      if (!word.endsWith("-")) this.#words.add(word.toLowerCase());
    }
  }

  /** Joins the end of one line and the beginning of the next. */
  joined(before: string, after: string): string {
    if (before.endsWith("\u00ad")) return before.slice(0, -1) + after;
    if (/\d[-‐]$/.test(before.slice(-2)) && isBehindNumber(after)) return before + after;
    if (!/\p{L}[-‐]$/u.test(before.slice(-3))) return isUnspaced(before, after) ? before + after : `${before} ${after}`;
    const left =
      before
        .slice(-60, -1)
        .split(/[^\p{L}\p{M}\p{N}'’-]/u)
        .at(-1)
        ?.toLowerCase() ?? "";
    const right = /^[\p{L}\p{M}\p{N}'’-]+/u.exec(after.slice(0, 60))?.[0] ?? "";
    if (right === "") return `${before} ${after}`;
    const whole = before.slice(0, -1) + after;
    const kept = before + after;
    const low = right.toLowerCase();
    const isCompound = this.#words.has(`${left}-${low}`);
    const isWord = this.#words.has(left + low);
    if (isWord && !isCompound) return whole;
    if (isCompound || (this.#isLongWord(left) && this.#isLongWord(low))) return kept;
    return /^\p{Ll}/u.test(right) && !left.includes("-") ? whole : kept;
  }

  #isLongWord(word: string): boolean {
    return word.length >= 3 && this.#words.has(word);
  }
}

/** `60-` and `watt` are one word. After `5-`, an `and` is followed by another number, or by none. */
function isBehindNumber(after: string): boolean {
  const word = /^\p{L}{2,}/u.exec(after.slice(0, 20))?.[0] ?? "";
  return word !== "" && !/^(?:and|or|to|und|oder|bis|et|ou|y|o|e)$/i.test(word);
}

const UNSPACED = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Chinese and Japanese have no spaces between words. */
function isUnspaced(before: string, after: string): boolean {
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1));
}
