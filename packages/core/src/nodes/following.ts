import type { Clock } from "../platform/clock.ts";
import { TimeSlices } from "../scheduling/time-slices.ts";
import type { RecoveryVisitor, SharedStore } from "../storage/store.ts";

/** Keeps what this node holds of a store in step with the records that other nodes append. */
export class Following {
  readonly #shared: SharedStore | undefined;
  readonly #record: RecoveryVisitor["record"];
  readonly #purged: (() => void) | undefined;
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** When the last successful check of the head began. */
  #checkedMs: number;

  /**
   * @param shared undefined for a store that only this process uses: then there is nothing to follow
   * @param apply applies a record of another node, in time slices
   * @param how.sinceMs when reading the store began, by the monotonic clock: the staleness counts from then
   * @param how.purged see {@link SharedStore.follow}
   */
  constructor(
    shared: SharedStore | undefined,
    apply: (sequence: number, payload: Uint8Array) => void,
    clock: Clock,
    { sinceMs = clock.monotonicMs(), purged }: { readonly sinceMs?: number; readonly purged?: () => void } = {},
  ) {
    this.#shared = shared;
    this.#clock = clock;
    this.#purged = purged;
    const slices = new TimeSlices(clock);
    this.#record = (sequence, payload) => {
      apply(sequence, payload);
      return slices.isOver ? slices.yield() : undefined;
    };
    this.#checkedMs = sinceMs;
  }

  /**
   * Resolves when all records are applied that were durable when it was called, or `staleMs` milliseconds before.
   * @throws LoredexError `UNREACHABLE`, `REPLACED`
   */
  async catchUp(staleMs = 0): Promise<void> {
    if (this.#shared === undefined || (staleMs > 0 && this.ageMs <= staleMs)) return;
    const startedMs = this.#clock.monotonicMs();
    await this.#shared.follow(this.#record, this.#purged);
    this.#checkedMs = Math.max(this.#checkedMs, startedMs);
  }

  /** The staleness: milliseconds since the last successful check of the head; 0 if there is nothing to follow. */
  get ageMs(): number {
    if (this.#shared === undefined) return 0;
    return Math.max(0, this.#clock.monotonicMs() - this.#checkedMs);
  }
}
