import { grouped } from "./terminal.ts";

/** Before that nothing can be said of how fast it goes. */
const SECONDS_MIN = 3;
/** How fast it goes is how fast it went in so many seconds. */
const SECONDS_MAX = 30;
/** What takes longer is told from then on, however little of it is done. */
const LEFT_SECONDS_MIN = 30;
/** Before this part of it nothing can be said of the rest. */
const LEFT_PART_MIN = 1 / 50;
/** What is slower is no rate that says anything. */
const PER_SECOND_MIN = 0.1;
/** Between two counts that are kept. */
const KEPT_INTERVAL_MS = 1_000;

/** How far it was at a moment. */
interface Count {
  readonly atMs: number;
  readonly done: number;
}

/** How fast something goes on, and when it will be done at this rate. What was there at the beginning counts for nothing. */
export class Pace {
  readonly #nowMs: () => number;
  #first: Count | undefined;
  /** Of the last while, the oldest first. */
  readonly #counts: Count[] = [];

  /** @param nowMs never runs backwards */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** `, 310/s`; nothing as long as it cannot be said. */
  rate(done: number): string {
    const perSecond = this.#perSecond(done);
    if (perSecond === undefined || perSecond < PER_SECOND_MIN) return "";
    return `, ${perSecond >= 9.95 ? grouped(Math.round(perSecond)) : perSecond.toFixed(1)}/s`;
  }

  /** `, about 12 s left`; nothing as long as it cannot be said. */
  left(done: number, total: number): string {
    const perSecond = this.#perSecond(done);
    if (perSecond === undefined || done > total || !this.#isFarEnough(done, total)) return "";
    return `, about ${durationText((total - done) / perSecond)} left`;
  }

  #perSecond(done: number): number | undefined {
    const atMs = this.#nowMs();
    const last = this.#counts.at(-1);
    if (last === undefined || atMs - last.atMs >= KEPT_INTERVAL_MS) this.#counts.push({ atMs, done });
    while (atMs - (this.#counts[1]?.atMs ?? atMs) >= SECONDS_MAX * 1_000) this.#counts.shift();
    const [oldest] = this.#counts;
    this.#first ??= oldest;
    if (oldest === undefined) return undefined;
    const seconds = (atMs - oldest.atMs) / 1_000;
    const made = done - oldest.done;
    return seconds < SECONDS_MIN || made <= 0 ? undefined : made / seconds;
  }

  #isFarEnough(done: number, total: number): boolean {
    if (this.#first === undefined) return false;
    const { atMs, done: before } = this.#first;
    return done - before >= (total - before) * LEFT_PART_MIN || this.#nowMs() - atMs >= LEFT_SECONDS_MIN * 1_000;
  }
}

/** In the largest unit of which there are two. */
function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
