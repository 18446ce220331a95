/** A flow of requests that share one budget: the requests of a bot, or of a key. */
export interface Flow {
  readonly id: string;
  /** The place of its next request in virtual time, in milliseconds of work. */
  tagMs: number;
  /** Among equal tags, the flow with the smaller number comes first. */
  order: number;
  isWaiting: boolean;
  /** Whether it is passed over until `resume`. */
  isParked: boolean;
  /** The number of its requests that have begun and are not charged yet. */
  inService: number;
  /** Its place in the heap that holds it; -1 if none does. */
  place: number;
}

/** The work done so far, in comparisons of two flows. The laws of the queue bound it. */
export interface QueueWork {
  comparisons: number;
}

/** A binary heap of flows, least tag first. Each change takes O(log n) comparisons. A flow is in at most one heap at a time. */
export class FlowHeap {
  readonly #work: QueueWork;
  #flows: Flow[] = [];

  constructor(work: QueueWork) {
    this.#work = work;
  }

  get size(): number {
    return this.#flows.length;
  }

  /** The flow with the least tag. */
  get first(): Flow | undefined {
    return this.#flows[0];
  }

  add(flow: Flow): void {
    this.#put(flow, this.#flows.length);
    this.#rise(flow);
  }

  delete(flow: Flow): void {
    const last = this.#flows.pop();
    if (last !== undefined && last !== flow) {
      this.#put(last, flow.place);
      this.#rise(last);
      this.#sink(last);
    }
    flow.place = -1;
  }

  clear(): void {
    this.#flows = [];
  }

  /** Restores the order after a flow's tag became larger. */
  grew(flow: Flow): void {
    this.#sink(flow);
  }

  #put(flow: Flow, place: number): void {
    this.#flows[place] = flow;
    flow.place = place;
  }

  #rise(flow: Flow): void {
    for (let parent = this.#flows[(flow.place - 1) >> 1]; parent !== undefined && this.#isBefore(flow, parent); ) {
      const { place } = parent;
      this.#put(parent, flow.place);
      this.#put(flow, place);
      parent = this.#flows[(place - 1) >> 1];
    }
  }

  #sink(flow: Flow): void {
    for (;;) {
      const [left, right] = [this.#flows[2 * flow.place + 1], this.#flows[2 * flow.place + 2]];
      if (left === undefined) return;
      const child = right !== undefined && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, flow)) return;
      const { place } = child;
      this.#put(child, flow.place);
      this.#put(flow, place);
    }
  }

  #isBefore(one: Flow, other: Flow): boolean {
    this.#work.comparisons++;
    return one.tagMs < other.tagMs || (one.tagMs === other.tagMs && one.order < other.order);
  }
}
