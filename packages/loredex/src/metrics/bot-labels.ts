/** The label of all bots without a label of their own. */
export const OTHER_BOTS = "other";

/**
 * Labels for bots. They bound the number of metrics, however many bots there are.
 * If there are enough labels for all, each bot has its id. Otherwise the first used bots have labels, and all others share one.
 */
export class BotLabels {
  readonly #max: number;
  readonly #own = new Set<string>();
  #hasOthers = false;
  readonly #told: ((label: string) => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Calls `tell` with each label before its first use. */
  onLabel(tell: (label: string) => void): void {
    this.#told.push(tell);
  }

  /** The label of a bot that is in use. */
  of(id: string): string {
    if (this.#own.has(id)) return id;
    if (this.#own.size >= this.#max) {
      this.#give(OTHER_BOTS);
      return OTHER_BOTS;
    }
    this.#own.add(id);
    this.#give(id);
    return id;
  }

  /** Gives labels to all bots, used or not, if there are enough. */
  fill(ids: readonly string[]): void {
    if (ids.length <= this.#max) for (const id of ids) this.of(id);
  }

  /** The label of a bot that may never have been used. It assigns none. */
  known(id: string): string {
    return this.#own.has(id) ? id : OTHER_BOTS;
  }

  #give(label: string): void {
    if (label === OTHER_BOTS && this.#hasOthers) return;
    if (label === OTHER_BOTS) this.#hasOthers = true;
    for (const tell of this.#told) tell(label);
  }
}
