/** The server's clock as its answers told it, continued by this machine's monotonic clock. It never runs backwards. */
export class StorageClock {
  #toldMs = 0;
  #toldAtMs = 0;
  #latestMs = 0;
  #answeredAtMs = performance.now();
  #isSilent = false;

  /** @param clockMs the time in the answer, in milliseconds since the epoch; anything else if it has none */
  answered(clockMs: unknown): void {
    this.#answeredAtMs = performance.now();
    this.#isSilent = false;
    if (typeof clockMs !== "number") return;
    const nowMs = this.nowMs();
    this.#toldAtMs = performance.now();
    this.#toldMs = Math.max(nowMs, clockMs);
  }

  fellSilent(): void {
    this.#isSilent = true;
  }

  /** A lower bound of the server's time. */
  nowMs(): number {
    const nowMs = this.#toldMs === 0 ? 0 : Math.floor(this.#toldMs + performance.now() - this.#toldAtMs);
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    return this.#latestMs;
  }

  /** Milliseconds since the last answer; 0 while the server answers. */
  silentMs(): number {
    return this.#isSilent ? performance.now() - this.#answeredAtMs : 0;
  }
}
