/** A clock that only moves when a test says so. */
export class TestClock {
  #wallMs = Date.UTC(2026, 0, 15, 9, 30);
  #monotonicMs = 5_000_000;

  wallMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** Time passes. */
  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
  }

  /** Somebody sets the wall clock; no time passes. */
  jumpWall(ms: number): void {
    this.#wallMs += ms;
  }

  /** The machine was started again: its monotonic clock counts from a new start. */
  reboot(): void {
    this.#monotonicMs = 17;
  }

  /** The wall clock's time as the API writes it. */
  iso(): string {
    return new Date(this.#wallMs).toISOString();
  }
}
