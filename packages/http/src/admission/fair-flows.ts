import { type Flow, FlowHeap, type QueueWork } from "./flow-heap.ts";

/**
 * The least cost of a start, in milliseconds: half a time slice.
 * A round has one start, however short it is, and the work after a write is done in other rounds.
 * If a start cost only its measured time, a bot that always writes would get most of the rounds.
 */
export const COST_MS_MIN = 4;
/** The highest cost of a start, in milliseconds. A pause of the whole process while a request begins must not keep its bot from the next starts. */
export const COST_MS_MAX = 100;
/** The most idle flows with a debt that are remembered. Beyond it, the flow with the least debt is forgotten. */
export const OWING_FLOWS_MAX = 256;

/**
 * Start-time fair queueing over flows (Goyal, Vin, Cheng: "Start-Time Fair Queuing", SIGCOMM 1996).
 *
 * - A start moves virtual time to the tag of its flow. The cost of the start is added to the tag.
 * - A flow that begins to wait gets the tag max(virtual time, its tag). So it has saved up nothing, and its debt is at most the cost of its last start.
 * - When no flow waits or is in service, all tags are forgotten.
 *
 * So the order depends on the present contention, not on earlier service. While two flows wait, their costs differ by at most one start of each.
 * Remembered flows: all that wait or are in service, and up to `OWING_FLOWS_MAX` others with a debt. Each call takes O(log n).
 */
export class FairFlows {
  readonly #flows = new Map<string, Flow>();
  /** Flows that wait and may be served. */
  readonly #eligible: FlowHeap;
  /** Flows that neither wait nor are in service. */
  readonly #owing: FlowHeap;
  #virtualMs = 0;
  #order = 0;
  /** Flows that wait or are in service. */
  #busy = 0;

  constructor(work: QueueWork = { comparisons: 0 }) {
    this.#eligible = new FlowHeap(work);
    this.#owing = new FlowHeap(work);
  }

  /** The number of remembered flows. */
  get size(): number {
    return this.#flows.size;
  }

  /** The flow that is served next. */
  get first(): string | undefined {
    return this.#eligible.first?.id;
  }

  /** Notes that a flow without waiting requests has one now. */
  arrive(id: string): void {
    const flow = this.#busyFlow(id);
    flow.isWaiting = true;
    this.#makeEligible(flow);
  }

  /** Notes that the flow has no waiting requests any more. */
  leave(id: string): void {
    const flow = this.#flows.get(id);
    if (flow === undefined || !flow.isWaiting) return;
    if (!flow.isParked) this.#eligible.delete(flow);
    flow.isWaiting = false;
    flow.isParked = false;
    this.#restIfIdle(flow);
  }

  /** Passes a waiting flow over until `resume`. */
  park(id: string): void {
    const flow = this.#flows.get(id);
    if (flow === undefined || !flow.isWaiting || flow.isParked) return;
    this.#eligible.delete(flow);
    flow.isParked = true;
  }

  /** Ends a pass-over. The flow has not saved up the starts that it missed. */
  resume(id: string): void {
    const flow = this.#flows.get(id);
    if (flow === undefined || !flow.isParked) return;
    flow.isParked = false;
    this.#makeEligible(flow);
  }

  /** Begins a request of the flow, whether it waited or not. `charge` must follow. */
  begin(id: string): void {
    const flow = this.#busyFlow(id);
    flow.inService++;
    this.#virtualMs = Math.max(this.#virtualMs, flow.tagMs);
    this.#grow(flow, COST_MS_MIN);
    this.#forgetSettled();
  }

  /** Charges a flow for a request that has begun: the cost in milliseconds, within {@link COST_MS_MIN} and {@link COST_MS_MAX}. */
  charge(id: string, costMs: number): void {
    const flow = this.#flows.get(id);
    if (flow === undefined || flow.inService === 0) return;
    flow.inService--;
    this.#grow(flow, Math.min(Math.max(costMs, COST_MS_MIN), COST_MS_MAX) - COST_MS_MIN);
    this.#restIfIdle(flow);
  }

  #busyFlow(id: string): Flow {
    let flow = this.#flows.get(id);
    if (flow === undefined) {
      flow = { id, tagMs: 0, order: 0, isWaiting: false, isParked: false, inService: 0, place: -1 };
      this.#flows.set(id, flow);
    } else if (isBusy(flow)) {
      return flow;
    } else {
      this.#owing.delete(flow);
    }
    this.#busy++;
    flow.tagMs = Math.max(flow.tagMs, this.#virtualMs);
    return flow;
  }

  #makeEligible(flow: Flow): void {
    flow.tagMs = Math.max(flow.tagMs, this.#virtualMs);
    flow.order = this.#order++;
    this.#eligible.add(flow);
  }

  #grow(flow: Flow, costMs: number): void {
    flow.tagMs += costMs;
    if (!flow.isWaiting || flow.isParked) return;
    // Among equal tags, other flows come first.
    flow.order = this.#order++;
    this.#eligible.grew(flow);
  }

  #restIfIdle(flow: Flow): void {
    if (isBusy(flow)) return;
    this.#busy--;
    if (this.#busy === 0) {
      this.#forgetAll();
      return;
    }
    this.#owing.add(flow);
    this.#forgetSettled();
    const least = this.#owing.first;
    if (this.#owing.size > OWING_FLOWS_MAX && least !== undefined) this.#forget(least);
  }

  #forgetAll(): void {
    this.#owing.clear();
    this.#flows.clear();
    this.#virtualMs = 0;
  }

  /** Forgets flows without a debt: they are the same as new flows. Two per call are enough, since a call adds at most one. */
  #forgetSettled(): void {
    for (let i = 0; i < 2; i++) {
      const least = this.#owing.first;
      if (least === undefined || least.tagMs > this.#virtualMs) return;
      this.#forget(least);
    }
  }

  #forget(flow: Flow): void {
    this.#owing.delete(flow);
    this.#flows.delete(flow.id);
  }
}

function isBusy(flow: Flow): boolean {
  return flow.isWaiting || flow.inService > 0;
}
