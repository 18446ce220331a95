/** A node's storage in a `SimulatedDatabase`. */

import { LoredexError } from "../src/model/errors.ts";
import { loadedFrom } from "../src/storage/memory-storage.ts";
import { misuse, StoreNames } from "../src/storage/port-rules.ts";
import { checkSections } from "../src/storage/snapshot.ts";
import type {
  Creation,
  FirstSnapshot,
  SalvageVisitor,
  SharedStorage,
  Storage,
  Store,
  StoreCondition,
  StoreSalvage,
} from "../src/storage/store.ts";
import { SimulatedLine, type SimulatedServer } from "./simulated-server.ts";
import { SimulatedStore } from "./simulated-store.ts";
import { conflict, StoreTables } from "./simulated-tables.ts";

/** Implements {@link Storage}. Within the node a store has one holder at a time; other nodes are told of nothing. */
export class SimulatedStorage implements Storage {
  readonly shared: SharedStorage = {
    nowMs: () => this.#server.nowMs(),
    silentMs: () => this.#server.silentMs(),
    observe: (tell) => this.#line.observe(tell),
    admit: (name, perMinute) => this.#query(() => this.#server.rates.admit(name, perMinute)),
  };
  readonly #line: SimulatedLine;
  readonly #server: SimulatedServer;
  readonly #names = new StoreNames();

  constructor(server: SimulatedServer) {
    this.#line = new SimulatedLine(server);
    this.#server = server;
  }

  create(name: string, first?: FirstSnapshot, { check, replaces = false }: Creation = {}): Promise<void> {
    const { stores, newNumber } = this.#server;
    const headOf = (tables: StoreTables | undefined) => tables?.head.digest;
    return this.#names.during(name, async () => {
      // Another node may append to the replaced store until the end.
      const [old, head] = await this.#query(() => [stores.get(name), headOf(stores.get(name))] as const);
      const refuseIfTaken = () => {
        const found = stores.get(name);
        if ((old !== undefined && !replaces) || found !== old || headOf(found) !== head) {
          throw misuse(`There is a store "${name}" already.`);
        }
      };
      refuseIfTaken();
      checkSections(first?.sections ?? []);
      const snapshot = first === undefined || first.sequence === 0 ? undefined : await loadedFrom(first);
      const tables = new StoreTables(newNumber, snapshot);
      if (check !== undefined) {
        const store = new SimulatedStore(
          this.#line,
          tables,
          () => tables,
          () => undefined,
        );
        await check(store).finally(() => store.close());
      }
      await this.#query(() => {
        refuseIfTaken();
        stores.set(name, tables);
      });
    });
  }

  async exists(name: string): Promise<boolean> {
    this.#names.check(name);
    return this.#query(() => this.#server.stores.has(name));
  }

  async open(name: string): Promise<Store> {
    this.#names.take(name);
    const { stores } = this.#server;
    try {
      const tables = await this.#query(() => stores.get(name));
      if (tables === undefined) throw new LoredexError("CORRUPT", `The store "${name}" is missing.`);
      let isOpen = true;
      const onClosed = () => {
        if (isOpen) this.#names.free(name);
        isOpen = false;
      };
      return new SimulatedStore(this.#line, tables, () => stores.get(name), onClosed);
    } catch (error) {
      this.#names.free(name);
      throw error;
    }
  }

  /** Reports no damage but a missing store, since memory is always whole. */
  async verify(name: string): Promise<StoreCondition> {
    this.#names.check(name);
    return this.#query(() => conditionOf(name, this.#server.stores.get(name)));
  }

  salvage(name: string, visitor: SalvageVisitor): Promise<StoreSalvage> {
    return this.#names.during(name, async () => {
      const [tables, condition] = await this.#query(() => {
        const found = this.#server.stores.get(name);
        return [found, conditionOf(name, found)] as const;
      });
      for (const section of tables?.snapshot?.loaded.sections.values() ?? []) {
        await visitor.section(section, tables?.snapshot?.link.sequence ?? 0);
      }
      for (const { sequence, payload } of tables?.recordsAfter(0) ?? []) {
        await visitor.record(sequence, payload.slice());
      }
      const pruned = tables?.base.sequence ?? 0;
      const missing = pruned === 0 ? [] : [{ firstSequence: 1, lastSequence: pruned }];
      const found = { missing, condition, logProblems: condition.problems };
      await visitor.damaged?.([], found);
      return found;
    });
  }

  async requireAccess(name: string): Promise<void> {
    this.#names.check(name);
    await this.#query(() => undefined);
  }

  async requireWritable(): Promise<void> {
    await this.#query(() => undefined);
  }

  remove(name: string, decidedOn?: string): Promise<void> {
    const { stores } = this.#server;
    return this.#names.during(name, async () => {
      await this.#query(() => {
        const isLast = [...stores.values()].some(({ head }) => String(head.digest) === decidedOn);
        if (decidedOn !== undefined && !isLast) throw conflict();
        stores.delete(name);
      });
    });
  }

  list(): Promise<string[]> {
    return this.#query(() => [...this.#server.stores.keys()]);
  }

  async close(): Promise<void> {
    this.#names.close();
  }

  async #query<Result>(work: () => Result): Promise<Result> {
    this.#names.refuseIfClosed();
    return this.#line.query(work);
  }
}

function conditionOf(name: string, tables: StoreTables | undefined): StoreCondition {
  const missing = { file: name, offset: 0, sequence: 1, reason: "it is missing" };
  return {
    files: 0,
    bytes: tables?.totalBytes ?? 0,
    records: tables?.recordsAfter(0).length ?? 0,
    lastSequence: tables?.head.sequence ?? 0,
    tornBytes: 0,
    problems: tables === undefined ? [missing] : [],
  };
}
