/** A package whose functions no table names: the test is tried on it. */

interface RefundOptions {
  readonly days?: number;
  readonly carrier?: { readonly name?: string };
  readonly clock?: { nowMs(): number };
}

export function refund(id: string, { days = 5 }: RefundOptions = {}): string {
  return `${id}: ${days} days`;
}

export class Shop {
  sell(options: { readonly colour?: string } | string): string {
    return this.#wrapped(typeof options === "string" ? { days: 1 } : {});
  }

  #wrapped({ days = 1 }: RefundOptions): string {
    return `in ${days} days`;
  }
}

export interface Till {
  open(options?: RefundOptions, ...names: readonly string[]): void;
}
