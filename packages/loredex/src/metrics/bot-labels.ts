/** Whatever stands for bots that have no label of their own. */
export const OTHER_BOTS = "other";

/** Labels for bots: the first ones that are used have their ids, all others share one, so that however many bots there are the metrics stay few. */
export class BotLabels {
  readonly #max: number;
  readonly #own = new Set<string>();
  #hasOthers = false;
  readonly #told: ((label: string) => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Called with each label when it is given out, before its first use. */
  onLabel(tell: (label: string) => void): void {
    this.#told.push(tell);
  }

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

  #give(label: string): void {
    if (label === OTHER_BOTS && this.#hasOthers) return;
    if (label === OTHER_BOTS) this.#hasOthers = true;
    for (const tell of this.#told) tell(label);
  }
}
