/**
 * A flag that both threads see: the worker is inside native code, or the process is about to end.
 *
 * Node ends the worker threads when the process exits. The runtime does not survive that in the middle of a call: the whole
 * process aborts. So whoever ends the process first closes the gate and waits for the call at hand, some milliseconds.
 */

const CLOSED = 0;
const INSIDE = 1;

export class Gate {
  /** @param {SharedArrayBuffer} shared of the other side's gate */
  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared;
    this.flags = new Int32Array(shared);
  }

  /**
   * Runs what calls native code. Never settles once the gate is closed.
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async through(call) {
    Atomics.store(this.flags, INSIDE, 1);
    // In this order: either this side sees that it is closed, or the other side sees that this one is inside.
    if (Atomics.load(this.flags, CLOSED) === 1) {
      this.#leave();
      return await new Promise(() => undefined);
    }
    try {
      return await call();
    } finally {
      this.#leave();
    }
  }

  /** Lets nothing in any more. */
  close() {
    Atomics.store(this.flags, CLOSED, 1);
  }

  /**
   * Blocks this thread until nothing is inside.
   * @param {number} atMostMs
   */
  waitUntilEmpty(atMostMs) {
    Atomics.wait(this.flags, INSIDE, 1, atMostMs);
  }

  #leave() {
    Atomics.store(this.flags, INSIDE, 0);
    Atomics.notify(this.flags, INSIDE);
  }
}
