import { grouped } from "./terminal.ts";

/** Before that nothing can be said of how fast it goes. */
const SECONDS_MIN = 2;

/** How fast something goes on, and when it will be done at this rate. What was there at the beginning counts for nothing. */
export class Pace {
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #first: number | undefined;

  /** @param nowMs never runs backwards */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  /** `, 310/s`; nothing as long as it cannot be said. */
  rate(done: number): string {
    const perSecond = this.#perSecond(done);
    if (perSecond === undefined) return "";
    return `, ${perSecond >= 10 ? grouped(Math.round(perSecond)) : perSecond.toFixed(1)}/s`;
  }

  /** `, about 12 s left`; nothing as long as it cannot be said. */
  left(done: number, total: number): string {
    const perSecond = this.#perSecond(done);
    return perSecond === undefined || done > total ? "" : `, about ${durationText((total - done) / perSecond)} left`;
  }

  #perSecond(done: number): number | undefined {
    this.#first ??= done;
    const seconds = (this.#nowMs() - this.#startMs) / 1_000;
    const made = done - this.#first;
    return seconds < SECONDS_MIN || made <= 0 ? undefined : made / seconds;
  }
}

/** In the largest unit of which there are two. */
function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
