import type { Clock } from "../platform/clock.ts";
import type { Lease, SharedStore } from "../storage/store.ts";

/** How long a node has a job without prolonging it, in milliseconds. A node that stops holds the job up for this time. */
export const LEASE_MS = 30_000;
/** The pause before a node asks again for a job that another one has, in milliseconds. */
const ASK_AGAIN_MS = 1_000;

/** A background job of a store that one node at a time does. Without a shared store, every turn is this node's. */
export class JobTurn {
  readonly #job: string;
  readonly #shared: SharedStore | undefined;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #lease: Lease | undefined;
  /** Until this time of the monotonic clock the storage is not asked: the lease needs no prolonging yet, or another node had it a moment ago. */
  #holdsUntilMs = 0;

  constructor(job: string, shared: SharedStore | undefined, clock: Pick<Clock, "monotonicMs">) {
    this.#job = job;
    this.#shared = shared;
    this.#clock = clock;
  }

  /** Takes the job, or prolongs it. False while another node has it. @throws LoredexError `UNREACHABLE`, `REPLACED` */
  async take(): Promise<boolean> {
    if (this.#shared === undefined) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#holdsUntilMs) return this.#lease !== undefined;
    const isRenewed = (await this.#lease?.renew(LEASE_MS)) ?? false;
    if (!isRenewed) this.#lease = await this.#shared.lease(this.#job, LEASE_MS);
    const isTaken = this.#lease !== undefined;
    this.#holdsUntilMs = nowMs + (isTaken ? LEASE_MS / 3 : ASK_AGAIN_MS);
    return isTaken;
  }

  /** Prolongs the job while `steps` are pulled: work that takes longer than the lease keeps it. A failure to prolong it is left to the work itself. */
  during<Step>(steps: AsyncIterable<Step> | Iterable<Step>): AsyncIterable<Step> | Iterable<Step> {
    return this.#shared === undefined ? steps : this.#prolonged(steps);
  }

  async *#prolonged<Step>(steps: AsyncIterable<Step> | Iterable<Step>): AsyncGenerator<Step, void> {
    for await (const step of steps) {
      await this.take().catch(() => undefined);
      yield step;
    }
  }

  /** Waits until this node has the job, or `isOver` is true. Resolves with true if the node did not have the job before: another one may have done some of it. */
  async wait(sleep: (ms: number) => Promise<void>, isOver: () => boolean): Promise<boolean> {
    const before = this.#lease;
    while (!isOver() && !(await this.take())) await sleep(ASK_AGAIN_MS);
    return this.#lease !== before;
  }

  /** Lets other nodes have the job. */
  async leave(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#holdsUntilMs = 0;
    await lease?.release();
  }
}
