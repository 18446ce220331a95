/** What was passed over at a site, by the reason: one line for each, however many there were. */
export class PassedOver {
  readonly #byReason = new Map<string, { count: number; readonly first: string }>();

  add(address: string, reason: string): void {
    const known = this.#byReason.get(reason);
    if (known === undefined) this.#byReason.set(reason, { count: 1, first: address });
    else known.count += 1;
  }

  notes(): readonly string[] {
    return [...this.#byReason].map(([reason, { count, first }]) => {
      const others = count === 1 ? "" : `, and ${count - 1} more`;
      return `passed over ${first}${others}: ${reason}`;
    });
  }
}
