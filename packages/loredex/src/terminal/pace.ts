import { grouped } from "./terminal.ts";

/** The seconds before which no rate is shown. */
const SECONDS_MIN = 3;
/** The rate is measured over the last seconds, this many at most. */
const SECONDS_MAX = 30;
/** After this number of seconds the remaining time is shown, however little is done. */
const LEFT_SECONDS_MIN = 30;
/** The done share from which on the remaining time is shown. */
const LEFT_PART_MIN = 1 / 50;
/** A lower rate is not shown. */
const PER_SECOND_MIN = 0.1;
/** The interval between two kept counts. */
const KEPT_INTERVAL_MS = 1_000;

/** The progress at one moment. */
interface Count {
  readonly atMs: number;
  readonly done: number;
}

/** Measures the rate of a progress, and estimates the remaining time. The initial count does not contribute. */
export class Pace {
  readonly #nowMs: () => number;
  #first: Count | undefined;
  /** The counts of the last seconds, oldest first. */
  readonly #counts: Count[] = [];

  /** @param nowMs never runs backwards */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The rate as text: `, 310/s`; empty while it is unknown. */
  rate(done: number): string {
    const perSecond = this.#perSecond(done);
    if (perSecond === undefined || perSecond < PER_SECOND_MIN) return "";
    return `, ${perSecond >= 9.95 ? grouped(Math.round(perSecond)) : perSecond.toFixed(1)}/s`;
  }

  /** The remaining time as text: `, about 12 s left`; empty while it is unknown. */
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

/** A duration in the largest unit of which there are two. */
function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
