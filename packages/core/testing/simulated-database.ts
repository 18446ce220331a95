/** A database in memory that several nodes use, with faults. */

import { misuse } from "../src/storage/port-rules.ts";
import type { Storage } from "../src/storage/store.ts";
import { type SimulatedDatabaseOptions, SimulatedServer } from "./simulated-server.ts";
import { SimulatedStorage } from "./simulated-storage.ts";

/**
 * A shared storage in memory: each call of {@link open} gives another node. It takes nothing from the system but a clock, so that the same calls give
 * the same results. Its faults hold for all nodes.
 */
export class SimulatedDatabase {
  readonly #server: SimulatedServer;

  constructor(options: SimulatedDatabaseOptions = {}) {
    this.#server = new SimulatedServer(options);
  }

  /** Opens the database for another node. */
  open(): Storage {
    return new SimulatedStorage(this.#server);
  }

  /** Makes the database unreachable, and `silentMs` rise. Calls on their way reject too, whether or not they have arrived. */
  cut(): void {
    this.#server.cut();
  }

  /** Makes it reachable again. */
  mend(): void {
    this.#server.mend();
  }

  /** Stores the next batch of appends, and loses the answer. @param andCut cuts the database then, before the append can be looked up */
  loseAnswer(andCut = false): void {
    this.#server.loseAnswer(andCut);
  }

  /**
   * Loses the last `records` records of a store, with the snapshots that cover them, as a fail-over may.
   * @throws RangeError if the records before are not stored any more
   */
  rewind(name: string, records: number): void {
    const tables = this.#server.stores.get(name);
    if (tables === undefined) throw misuse(`There is no store "${name}".`);
    tables.rewind(records);
  }

  /** The number of queries that have arrived so far. */
  get queries(): number {
    return this.#server.queries;
  }
}
