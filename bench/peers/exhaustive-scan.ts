/** BM25 parameters of the scan: those that everybody begins with. */
const K1 = 1.2;
const B = 0.75;

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * What a search by words is held against: every posting of every word of the question is read from typed arrays and added up, and the best passages are kept.
 * No word is left out or reduced to a stem, no list is skipped, nothing is quoted: less work than this can only be done by reading less.
 */
export class ExhaustiveScan {
  readonly #numbers = new Map<string, number>();
  readonly #ordinals: number[][] = [];
  readonly #frequencies: number[][] = [];
  readonly #lengths: number[] = [];
  #lists: readonly { readonly ordinals: Uint32Array; readonly frequencies: Uint8Array }[] = [];
  #norms = new Float64Array(0);
  #scores = new Float64Array(0);

  /** Takes a passage; its number is how many came before it. */
  add(text: string): void {
    const ordinal = this.#lengths.length;
    const counts = new Map<number, number>();
    const words = wordsOf(text);
    for (const word of words) {
      const number = this.#numbers.get(word) ?? this.#numbers.size;
      this.#numbers.set(word, number);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    this.#lengths.push(words.length);
    for (const [number, count] of counts) {
      this.#ordinals[number] ??= [];
      this.#frequencies[number] ??= [];
      this.#ordinals[number]?.push(ordinal);
      this.#frequencies[number]?.push(Math.min(255, count));
    }
  }

  /** Must be called once, after the last passage and before the first question. */
  finish(): void {
    const count = this.#lengths.length;
    const average = this.#lengths.reduce((sum, length) => sum + length, 0) / count;
    this.#norms = Float64Array.from(this.#lengths, (length) => K1 * (1 - B + (B * length) / average));
    this.#scores = new Float64Array(count);
    this.#lists = this.#ordinals.map((ordinals, number) => ({
      ordinals: Uint32Array.from(ordinals),
      frequencies: Uint8Array.from(this.#frequencies[number] ?? []),
    }));
    this.#ordinals.length = 0;
    this.#frequencies.length = 0;
  }

  get passageCount(): number {
    return this.#norms.length;
  }

  /** The numbers of the best `count` passages, best first. */
  search(question: string, count: number): number[] {
    const scores = this.#scores;
    scores.fill(0);
    for (const word of wordsOf(question)) this.#addWord(word, scores);
    return best(scores, count);
  }

  #addWord(word: string, scores: Float64Array): void {
    const list = this.#lists[this.#numbers.get(word) ?? -1];
    if (list === undefined) return;
    const { ordinals, frequencies } = list;
    const norms = this.#norms;
    const idf = Math.log(1 + (norms.length - ordinals.length + 0.5) / (ordinals.length + 0.5));
    const weight = idf * (K1 + 1);
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i] as number;
      const frequency = frequencies[i] as number;
      scores[ordinal] = (scores[ordinal] as number) + (weight * frequency) / (frequency + (norms[ordinal] as number));
    }
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

function best(scores: Float64Array, count: number): number[] {
  const found: number[] = [];
  let least = 0;
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    const score = scores[ordinal] as number;
    if (score <= least) continue;
    let at = found.length;
    while (at > 0 && (scores[found[at - 1] as number] as number) < score) at--;
    found.splice(at, 0, ordinal);
    if (found.length > count) found.pop();
    if (found.length === count) least = scores[found[count - 1] as number] as number;
  }
  return found;
}
