/** The life of a store on a disk that fails, and the judgement over what is found afterwards. */

import { LoredexError } from "../../src/model/errors.ts";
import type { FileSystem } from "../../src/storage/file-system.ts";
import type { RecoveryReport, Storage, Store } from "../../src/storage/store.ts";
import { type Fault, SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, recoverHistory, textOf } from "../../testing/told-stores.ts";
import { openOn, simulatedDisk } from "./kit.ts";

/** A write that was tried. `refused`: its caller was told that nothing of it is left. `unknown`: it was told nothing for sure. */
interface Attempt {
  readonly text: string;
  outcome: { readonly kind: "acknowledged"; readonly sequence: number } | { readonly kind: "refused" | "unknown" };
}

/** What a life is tried with. */
export interface Trial {
  readonly seed: number;
  readonly fault: Fault | undefined;
  /** How the life ends, if it has not ended by the fault. */
  readonly end: "kill" | "power cut";
  /** Makes the disk worse than it is: the controls of the proof. */
  readonly spoil?: (fileSystem: FileSystem) => FileSystem;
}

/** Small, so that a short life has everything in it. */
const SIZES = { segmentBytes: 1500, flushBytes: 3000 };

class Life {
  readonly attempts: Attempt[] = [];
  /** Whether the store `bot` was said to have been created, and `other` to have been removed. */
  created = false;
  removed = false;
  /** Number of the last record in the newest snapshot that was said to be durable. */
  snapshotSequence = 0;
  readonly #disk: SimulatedFileSystem;
  readonly #fileSystem: FileSystem;
  #state: string[] = [];

  constructor(disk: SimulatedFileSystem, fileSystem: FileSystem) {
    this.#disk = disk;
    this.#fileSystem = fileSystem;
  }

  /** Create, write, rotate, snapshot, delete, reopen: what fails is passed over, as a service would. */
  async live(): Promise<void> {
    await this.#session(async (storage) => {
      if ((await tried(storage.exists("other"))) === false) await tried(storage.create("other"));
      await this.#withStore(storage, async (store) => {
        for (const bytes of [20, 700, 3]) await this.#append(store, bytes);
        await this.#burst(store, [40, 600, 10, 900, 30]);
        await this.#snapshot(store);
        await this.#burst(store, [1200, 5, 5, 5]);
        await this.#append(store, 100);
        const removed = storage.remove("other").then(() => true);
        this.removed = (await tried(removed)) ?? (await tried(storage.remove("other").then(() => true))) ?? false;
        await this.#snapshot(store);
        await this.#burst(store, [10, 10, 600]);
      });
      await this.#withStore(storage, async (store) => {
        await Promise.all([this.#snapshot(store), this.#burst(store, [300, 700]), this.#append(store, 1500)]);
        await this.#append(store, 4000);
      });
    });
    await this.#session(async (storage) => {
      await this.#withStore(storage, async (store) => {
        await this.#burst(store, [5, 800, 5]);
        await this.#snapshot(store);
        await this.#append(store, 50);
      });
    });
  }

  async #session(work: (storage: Storage) => Promise<void>): Promise<void> {
    const disk = { ...simulatedDisk(this.#disk), fileSystem: this.#fileSystem };
    // An operator tries twice.
    const storage = (await tried(openOn(disk, SIZES))) ?? (await tried(openOn(disk, SIZES)));
    if (storage === undefined) return;
    await tried(work(storage));
    await tried(storage.close());
  }

  async #withStore(storage: Storage, work: (store: Store) => Promise<void>): Promise<void> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const exists = await tried(storage.exists("bot"));
      if (exists === false && this.created) throw new Error("the store is gone");
      if (exists === false) this.created = (await tried(storage.create("bot").then(() => true))) ?? false;
      if ((await tried(storage.exists("bot"))) === false) continue;
      const store = await tried(storage.open("bot"));
      if (store === undefined) continue;
      const found = await tried(findState(store));
      if (found === undefined) continue;
      judge(this.attempts, found.state);
      this.#state = found.state;
      await work(store);
      await tried(store.close());
      return;
    }
  }

  #burst(store: Store, sizes: readonly number[]): Promise<unknown> {
    return Promise.all(sizes.map((bytes) => this.#append(store, bytes)));
  }

  async #append(store: Store, bytes: number): Promise<void> {
    const text = `write ${this.attempts.length} ${"x".repeat(bytes)}`;
    const attempt: Attempt = { text, outcome: { kind: "unknown" } };
    this.attempts.push(attempt);
    try {
      const sequence = await store.append(bytesOf(text));
      attempt.outcome = { kind: "acknowledged", sequence };
      this.#state[sequence - 1] = text;
    } catch (error) {
      // A dead process tells nobody anything; after READ_ONLY nobody knows what the disk has.
      const told = error instanceof LoredexError && error.code !== "READ_ONLY" && !this.#disk.isDead;
      attempt.outcome = { kind: told ? "refused" : "unknown" };
    }
  }

  async #snapshot(store: Store): Promise<void> {
    const sequence = this.#state.length;
    const bytes = bytesOf(JSON.stringify(this.#state));
    const chunks = [bytes.subarray(0, 1000), bytes.subarray(1000)];
    const derived = { name: "derived", version: 1, chunks: [bytesOf(String(sequence))] };
    const written = store.writeSnapshot(sequence, [{ name: "all", version: 1, chunks }, derived]).then(() => true);
    if (await tried(written)) this.snapshotSequence = sequence;
  }
}

/** The result, or undefined if the disk failed. Anything else that is thrown is a failure of the proof. */
async function tried<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const allowed = ["STORAGE_FAILED", "DISK_FULL", "READ_ONLY", "CLOSED"];
    if (error instanceof LoredexError && allowed.includes(error.code)) return undefined;
    throw error;
  }
}

/** The writes that a store holds, by recovering it. */
interface Found {
  readonly state: string[];
  readonly report: RecoveryReport;
}

async function findState(store: Store): Promise<Found> {
  const history = await recoverHistory(store);
  const state: string[] = [];
  if (history.snapshot !== undefined) {
    const parsed: unknown = JSON.parse(textOf(history.snapshot.sections.get("all")?.bytes ?? new Uint8Array()));
    if (!Array.isArray(parsed) || parsed.length !== history.snapshot.sequence)
      throw new Error("a snapshot is not whole");
    state.push(...parsed.map(String));
  }
  for (const { sequence, text } of history.records) {
    if (sequence !== state.length + 1) throw new Error(`record ${sequence} came after ${state.length}`);
    state.push(text);
  }
  if (history.report.lastSequence !== state.length) throw new Error("the report counts otherwise");
  return { state, report: history.report };
}

/** Throws unless `state` is what was acknowledged, in order, and else only whole writes whose callers were told nothing. */
function judge(attempts: readonly Attempt[], state: readonly string[]): void {
  for (const { text, outcome } of attempts) {
    if (outcome.kind === "acknowledged" && state[outcome.sequence - 1] !== text) {
      throw new Error(`acknowledged record ${outcome.sequence} was lost`);
    }
    if (outcome.kind === "refused" && state.includes(text)) throw new Error("a refused write came back");
  }
  const order = state.map((text) => attempts.findIndex((attempt) => attempt.text === text));
  for (const [index, attempt] of order.entries()) {
    if (attempt === -1) throw new Error(`record ${index + 1} was never written`);
    if (attempt <= (order[index - 1] ?? -1)) throw new Error(`record ${index + 1} is out of order`);
  }
}

/** What is in the store `bot` now; the process dies right after it has looked, or after one more write. */
async function look(disk: SimulatedFileSystem, { created, removed }: Life, write?: string): Promise<Found> {
  const storage = await openOn(simulatedDisk(disk), SIZES);
  if (removed && (await storage.exists("other"))) throw new Error("a removed store is back");
  if (!(await storage.exists("bot"))) {
    if (created) throw new Error("the store is gone");
    await storage.create("bot");
  }
  const store = await storage.open("bot");
  const found = await findState(store);
  if (write !== undefined) await store.append(bytesOf(write));
  return found;
}

/** Lives a life, and throws if anything acknowledged is lost or anything else comes back. Resolves with the I/Os it took. */
export async function proveLife({ seed, fault, end, spoil }: Trial): Promise<number> {
  // All else happens in microtasks: without this the test runner would hear nothing for minutes.
  await new Promise((resolve) => setImmediate(resolve));
  const disk = new SimulatedFileSystem({ seed });
  disk.setFault(fault);
  const life = new Life(disk, spoil?.(disk) ?? disk);
  await life.live();
  const { operations } = disk;
  const found = await proveRecovery(end === "kill" ? disk.afterKill() : disk.afterPowerCut(), life);
  if (fault === undefined && end === "kill" && found.length !== life.attempts.length)
    throw new Error("writes are missing");
  return operations;
}

/** Recovers again and again, with a power cut after each: all must find the same. */
async function proveRecovery(disk: SimulatedFileSystem, life: Life): Promise<string[]> {
  const { state, report } = await look(disk, life);
  judge(life.attempts, state);
  if (report.damagedSnapshots > 0) throw new Error("a crash has left a damaged snapshot");
  if (report.snapshotSequence < life.snapshotSequence) throw new Error("a durable snapshot was lost");
  const afterCut = disk.afterPowerCut();
  const second = await look(afterCut, life, "one more");
  if (second.state.join() !== state.join()) throw new Error("a second recovery found something else");
  const third = await look(afterCut.afterPowerCut(), life);
  if (third.state.join() !== [...state, "one more"].join()) throw new Error("a write after the recovery was lost");
  return state;
}

/** A life that ends by a crash, then a recovery with a fault at each of its I/Os: the next recovery must be right all the same. */
export async function proveRecoveryUnderFaults(trial: Trial, kind: Fault["kind"]): Promise<number> {
  for (let at = 1; ; at += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const disk = new SimulatedFileSystem({ seed: trial.seed });
    disk.setFault(trial.fault);
    const life = new Life(disk, disk);
    await life.live();
    const broken = trial.end === "kill" ? disk.afterKill() : disk.afterPowerCut();
    broken.setFault({ at, kind });
    await tried(look(broken, life));
    const happened = broken.faultHappened;
    await proveRecovery(at % 2 === 0 ? broken.afterKill() : broken.afterPowerCut(), life);
    if (!happened) return at;
  }
}

/** The same file system, but calls of one kind only say that they have done something. */
export function lying(fileSystem: FileSystem, lie: "sync" | "syncDirectory" | undefined): FileSystem {
  return {
    open: async (path, mode) => {
      const file = await fileSystem.open(path, mode);
      if (lie !== "sync") return file;
      return { ...file, sync: async () => undefined, dataSync: async () => undefined };
    },
    requireAccess: (path) => fileSystem.requireAccess(path),
    stat: (path) => fileSystem.stat(path),
    rename: (from, to) => fileSystem.rename(from, to),
    unlink: (path) => fileSystem.unlink(path),
    readDirectory: (path) => fileSystem.readDirectory(path),
    makeDirectory: (path) => fileSystem.makeDirectory(path),
    removeDirectory: (path) => fileSystem.removeDirectory(path),
    freeBytes: (path) => fileSystem.freeBytes(path),
    syncDirectory: async (path) => {
      if (lie !== "syncDirectory") await fileSystem.syncDirectory(path);
    },
  };
}
