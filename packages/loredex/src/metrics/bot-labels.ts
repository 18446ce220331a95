/** Whatever stands for bots that have no label of their own. */
export const OTHER_BOTS = "other";

/** Labels for bots: the first ones that are used have their ids, all others share one, so that however many bots there are the metrics stay few. */
export class BotLabels {
  readonly #max: number;
  readonly #own = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  of(id: string): string {
    if (this.#own.has(id)) return id;
    if (this.#own.size >= this.#max) return OTHER_BOTS;
    this.#own.add(id);
    return id;
  }
}
