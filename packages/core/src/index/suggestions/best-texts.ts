import type { Suggestion } from "../../model/suggestions.ts";

/** A suggestion and its place among others: the lower, the better. Texts with one rank are in the order of their UTF-16 units. */
interface Ranked {
  readonly rank: number;
  readonly suggestion: Suggestion;
}

/** Keeps the best distinct texts of those that it is offered. Equal texts must have equal ranks: the one with the smallest id is kept. */
export class BestTexts {
  readonly #limit: number;
  readonly #best: Ranked[] = [];
  #worstRank = Number.POSITIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#best.length === 0;
  }

  get suggestions(): Suggestion[] {
    return this.#best.map(({ suggestion }) => suggestion);
  }

  /** A text with a higher rank is not among the best. */
  get worstRank(): number {
    return this.#worstRank;
  }

  offer(rank: number, suggestion: Suggestion): void {
    const best = this.#best;
    let at = best.length;
    while (at > 0 && isBefore(rank, suggestion, best[at - 1] as Ranked)) at--;
    const equal = best[at - 1];
    if (equal?.suggestion.text === suggestion.text) {
      if (suggestion.resourceDocId < equal.suggestion.resourceDocId) best[at - 1] = { rank, suggestion };
    } else if (at < this.#limit) {
      best.splice(at, 0, { rank, suggestion });
      best.length = Math.min(best.length, this.#limit);
      this.#worstRank = best[this.#limit - 1]?.rank ?? this.#worstRank;
    }
  }
}

function isBefore(rank: number, { text }: Suggestion, other: Ranked): boolean {
  return rank < other.rank || (rank === other.rank && text < other.suggestion.text);
}
