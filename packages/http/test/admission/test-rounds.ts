import type { Rounds } from "../../src/admission/rounds.ts";

/** Rounds that the test turns, and time that it lets pass. */
export class TestRounds implements Rounds {
  #nowMs = 0;
  #runs: (() => void)[] = [];
  #ends: (() => void)[] = [];
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  nowMs = () => this.#nowMs;
  next = (run: () => void) => void this.#runs.push(run);
  afterThis = (run: () => void) => void this.#ends.push(run);
  later = (ms: number, run: () => void) => {
    const timer = { atMs: this.#nowMs + ms, run };
    this.#timers.push(timer);
    return () => void this.#timers.splice(this.#timers.indexOf(timer), 1);
  };

  /** Lets so much time pass for what was begun, and so much for others; then comes whatever is due by then, then a round. */
  async turn(ms = 0, othersMs = 0): Promise<void> {
    this.#nowMs += ms;
    for (const end of this.#ends.splice(0)) end();
    this.#nowMs += othersMs;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { run } of due) run();
    for (const run of this.#runs.splice(0)) run();
    await this.settled();
  }

  /** Lets whoever was given something go on. */
  async settled(): Promise<void> {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }

  get isQuiet(): boolean {
    return this.#runs.length === 0 && this.#timers.length === 0;
  }
}
