/** What the nodes of a `SimulatedDatabase` speak to: its tables behind a line that can be cut. */

import { LoredexError } from "../src/model/errors.ts";
import type { StatementEvent, StatementKind } from "../src/model/work.ts";
import type { Clock } from "../src/platform/clock.ts";
import { systemClock } from "../src/platform/system.ts";
import { RequestRates } from "../src/quotas/request-rates.ts";
import { WindowClock } from "../src/quotas/window-clock.ts";
import type { StoreTables } from "./simulated-tables.ts";

/** Options of a simulated database. */
export interface SimulatedDatabaseOptions {
  /** The database's clock. Default: the system's. */
  readonly clock?: Clock;
  /** Awaited by each query on the way to the database, and again on the way back. Default: one turn of the event loop. */
  readonly roundTrip?: () => Promise<void>;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs transactions, each with a round trip around it. Its members are those of `SimulatedDatabase`, which hides the tables. */
export class SimulatedServer {
  /** The stores by name. */
  readonly stores = new Map<string, StoreTables>();
  readonly rates = new RequestRates({ monotonicMs: () => this.nowMs() });
  readonly #clock: WindowClock;
  readonly #roundTrip: () => Promise<void>;
  #numbers = 0;
  #queries = 0;
  #cutMs: number | undefined;
  #loses: "answer" | "everything" | undefined;

  constructor({ clock = systemClock, roundTrip = turn }: SimulatedDatabaseOptions = {}) {
    this.#clock = new WindowClock(clock, 0);
    this.#roundTrip = roundTrip;
  }

  cut(): void {
    this.#cutMs ??= this.nowMs();
  }

  mend(): void {
    this.#cutMs = undefined;
  }

  loseAnswer(andCut: boolean): void {
    this.#loses = andCut ? "everything" : "answer";
  }

  get queries(): number {
    return this.#queries;
  }

  /** The error of all calls while the database is cut. */
  get unreachable(): LoredexError | undefined {
    return this.#cutMs === undefined ? undefined : new LoredexError("UNREACHABLE", "The database does not answer.");
  }

  /** Never runs backwards, whatever the wall clock does. */
  nowMs(): number {
    return this.#clock.nowMs();
  }

  silentMs(): number {
    return this.#cutMs === undefined ? 0 : this.nowMs() - this.#cutMs;
  }

  /** A number that is higher than all before. */
  readonly newNumber = (): number => {
    this.#numbers += 1;
    return this.#numbers;
  };

  /** Runs a transaction, with a round trip around it. @throws LoredexError `UNREACHABLE`; the error of `work` */
  async query<Result>(work: () => Result, kind: StatementKind): Promise<Result> {
    this.#refuseIfCut();
    await this.#roundTrip();
    this.#refuseIfCut();
    this.#queries += 1;
    const result = work();
    const loses = kind === "append" ? this.#loses : undefined;
    if (loses !== undefined) this.#loses = undefined;
    if (loses === "everything") this.cut();
    await this.#roundTrip();
    if (loses !== undefined) throw new LoredexError("UNREACHABLE", "The answer of the database was lost.");
    this.#refuseIfCut();
    return result;
  }

  #refuseIfCut(): void {
    const { unreachable } = this;
    if (unreachable !== undefined) throw unreachable;
  }
}

/** A node's line to the server, which tells of its statements. */
export class SimulatedLine {
  readonly server: SimulatedServer;
  #observer: ((event: StatementEvent) => void) | undefined;

  constructor(server: SimulatedServer) {
    this.server = server;
  }

  observe(observer: (event: StatementEvent) => void): void {
    this.#observer = observer;
  }

  /** Runs a transaction: {@link SimulatedServer.query}. */
  async query<Result>(work: () => Result, kind: StatementKind = "other"): Promise<Result> {
    const startedMs = this.server.nowMs();
    let failed = true;
    try {
      const result = await this.server.query(work, kind);
      failed = false;
      return result;
    } finally {
      this.#observer?.({ kind, durationMs: this.server.nowMs() - startedMs, retries: 0, failed });
    }
  }
}
