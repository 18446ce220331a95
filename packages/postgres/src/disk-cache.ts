/** A copy of stored bytes on a node's disk. */

import { createHash, randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { carefulLogger, type Logger, storageKit } from "@loredex/core";
import type { ObjectKey } from "./chunks.ts";

/** Which of these the database still has. */
export interface StoredIds {
  /** The ids of those objects of these stores that are stored. All ids are UUIDs: none occurs in two stores. */
  objects(stores: readonly string[], ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface DiskCacheDeps {
  /** Nobody else has files in it, except for nodes with the same database and schema. */
  readonly directory: string;
  readonly bytesMax: number;
  readonly stored: StoredIds;
  readonly logger: Logger | undefined;
}

/** Milliseconds between two sweeps, which delete the copies of what the database no longer has. */
const SWEPT_EACH_MS = 3_600_000;
/** An unfinished file that is older, in milliseconds, was left by a process that ended. */
const WRITING_MS_MAX = 3_600_000;
/** Bytes that wait to be written at once. One object of any length may wait alone. */
const PENDING_BYTES_MAX = 67_108_864;
/** Bytes that are hashed at once: others get the thread in between. */
const PIECE_BYTES = 262_144;
/** Objects that are asked for in one statement. */
const ASKED_MAX = 1_000;
/** This part of the maximum is free after files were deleted. At most this is written until all files are counted again: other processes write too. */
const FREE_PART = 0.2;
/** Classes of ages between an age and twice that age. The files of one class were used about equally long ago. */
const AGES_BETWEEN = 16;
/** A SHA-256 of the bytes before it. */
const DIGEST_BYTES = 32;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A file that is being written: its object, and an id of its own. */
const UNFINISHED = /^[0-9a-f-]{36}\.[0-9a-f-]{36}\.tmp$/;

/**
 * Keeps objects that never change, in a file each: `DIRECTORY/STORE/OBJECT`, all names UUIDs. A file ends with its checksum and gets its name when it is
 * whole. So several processes may share a directory, and a damaged file is read from the database again. No method rejects: without a cache all is slower,
 * and nothing fails.
 */
export class DiskCache {
  readonly #deps: DiskCacheDeps;
  readonly #log: Logger;
  readonly #queue = new storageKit.SerialQueue();
  readonly #walks = new storageKit.SerialQueue();
  /** What goes through many files, walks among it. Nothing in the queue waits for it. */
  readonly #running = new storageKit.Running();
  readonly #timer: NodeJS.Timeout;
  #walksToCome = 0;
  #pendingBytes = 0;
  /** Bytes that may be written until all files are counted. */
  #untilCounted: number;
  #isFailureTold = false;
  #isClosed = false;

  constructor(deps: DiskCacheDeps) {
    this.#deps = deps;
    this.#log = carefulLogger(deps.logger);
    this.#untilCounted = deps.bytesMax * FREE_PART;
    const sweep = (): void => this.#walk(true);
    this.#timer = setInterval(sweep, SWEPT_EACH_MS);
    this.#timer.unref();
    sweep();
  }

  /** The parts of an object, which have these lengths; undefined if it is not here, or not whole. */
  async read(key: ObjectKey, lengths: readonly number[]): Promise<Buffer[] | undefined> {
    const path = this.#pathOf(key);
    let file: FileHandle | undefined;
    try {
      file = await open(path, "r");
      const parts = await readParts(file, lengths);
      if (parts === undefined) await rm(path, { force: true });
      // The least recently used are deleted first. A disk that only reads has no need of it.
      else await utimes(path, new Date(), new Date()).catch(() => undefined);
      return parts;
    } catch (error) {
      this.#failed(error);
      return undefined;
    } finally {
      await file?.close().catch(() => undefined);
    }
  }

  /** Keeps an object, in the background. The pieces must not change any more. */
  write(key: ObjectKey, pieces: readonly Uint8Array[]): void {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, DIGEST_BYTES);
    const isTooMuch = this.#pendingBytes > 0 && this.#pendingBytes + bytes > PENDING_BYTES_MAX;
    // One object must not drive out most others.
    if (isTooMuch || bytes > this.#deps.bytesMax / 2) return;
    this.#pendingBytes += bytes;
    void this.#run(async () => {
      await this.#write(key, pieces);
      this.#untilCounted -= bytes;
      if (this.#untilCounted < 0) this.#walk(false);
    }).finally(() => {
      this.#pendingBytes -= bytes;
    });
  }

  /** Deletes an object that was deleted in the database. */
  remove(key: ObjectKey): Promise<void> {
    return this.#run(() => rm(this.#pathOf(key), { force: true }));
  }

  /** Deletes all objects of a store that was deleted. */
  removeStore(store: string): Promise<void> {
    return this.#run(() => rm(join(this.#deps.directory, store), { recursive: true, force: true }));
  }

  /** Deletes what the database no longer has of a store: this node may have purged it, or another one. Earlier calls have ended then, too. */
  sweepStore(store: string): Promise<void> {
    return this.#add(this.#queue.settled().then(() => this.#sweep([store])));
  }

  /** Resolves when what was called has ended. */
  async settled(): Promise<void> {
    await this.#queue.settled();
    await this.#running.settled();
  }

  /** Resolves when what was called has ended. Sweeps and counts end early: they are made again after a start. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    return this.settled();
  }

  #pathOf({ store, object }: ObjectKey): string {
    return join(this.#deps.directory, store, object);
  }

  #run(work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work).catch((error: unknown) => this.#failed(error));
  }

  #add(work: Promise<void>): Promise<void> {
    return this.#running.add(work.catch((error: unknown) => this.#failed(error)));
  }

  /** Goes through all files: counts them, and before that may sweep. One walk runs at a time. */
  #walk(isSweep: boolean): void {
    if (this.#isClosed || (this.#walksToCome > 0 && !isSweep)) return;
    this.#walksToCome += 1;
    const walked = this.#walks.run(async () => {
      if (isSweep) await this.#sweep(this.#stores());
      await this.#trim();
    });
    void this.#add(walked).finally(() => {
      this.#walksToCome -= 1;
    });
  }

  async #write(key: ObjectKey, pieces: readonly Uint8Array[]): Promise<void> {
    const path = this.#pathOf(key);
    await mkdir(join(this.#deps.directory, key.store), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}.tmp`;
    const file = await open(unfinished, "wx", 0o600);
    try {
      const hash = createHash("sha256");
      for (const piece of pieces) {
        for (let from = 0; from < piece.length; from += PIECE_BYTES) {
          const part = piece.subarray(from, from + PIECE_BYTES);
          hash.update(part);
          await file.writeFile(part);
        }
      }
      await file.writeFile(hash.digest());
      await file.close();
      await rename(unfinished, path);
      this.#isFailureTold = false;
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Deletes what the database no longer has of stores, and folders without files. */
  async #sweep(stores: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const keys: ObjectKey[] = [];
    const seen = new Set<string>();
    for await (const store of stores) {
      seen.add(store);
      for await (const { name } of this.#entries(join(this.#deps.directory, store))) {
        const key = { store, object: name };
        if (UUID.test(name)) keys.push(key);
        else if (UNFINISHED.test(name)) await removeAbandoned(this.#pathOf(key));
        if (keys.length < ASKED_MAX) continue;
        await this.#removeLost(seen, keys);
        seen.add(store);
      }
      if (seen.size >= ASKED_MAX) await this.#removeLost(seen, keys);
    }
    await this.#removeLost(seen, keys);
  }

  /** Deletes those objects that are not stored, and those folders that are empty then. Empties both lists. */
  async #removeLost(seen: Set<string>, asked: ObjectKey[]): Promise<void> {
    const [stores, keys] = [[...seen], asked.splice(0)];
    seen.clear();
    if (this.#isClosed) return;
    const ids = keys.map(({ object }) => object);
    const stored = ids.length === 0 ? undefined : await this.#deps.stored.objects(stores, ids);
    for (const key of keys) if (stored?.has(key.object) !== true) await rm(this.#pathOf(key), { force: true });
    // One with files stays. A copy for which another call has just made the folder may fail, which harms nothing.
    for (const store of stores) await rmdir(join(this.#deps.directory, store)).catch(() => undefined);
  }

  /** If there are too many bytes, deletes the least recently used files. Neither their paths nor an order of them is kept: there may be very many. */
  async #trim(): Promise<void> {
    const nowMs = Date.now();
    const { bytesMax } = this.#deps;
    // What is written meanwhile may be counted or not: it is taken off again.
    this.#untilCounted = 0;
    const bytesOf: number[] = [];
    let total = 0;
    for await (const { bytes, age } of this.#files(nowMs)) {
      bytesOf[age] = (bytesOf[age] ?? 0) + bytes;
      total += bytes;
    }
    if (total > bytesMax) {
      let kept = total;
      let ageMax = bytesOf.length;
      while (kept > bytesMax * (1 - FREE_PART)) {
        ageMax -= 1;
        kept -= bytesOf[ageMax] ?? 0;
      }
      for await (const { path, bytes, age } of this.#files(nowMs)) {
        if (age < ageMax) continue;
        await rm(path, { force: true });
        total -= bytes;
        if (total <= bytesMax * (1 - FREE_PART)) break;
      }
    }
    this.#untilCounted += Math.min(bytesMax - total, bytesMax * FREE_PART);
  }

  /** All objects, with the class of the age of their last use: the higher, the longer ago. */
  async *#files(
    nowMs: number,
  ): AsyncGenerator<{ readonly path: string; readonly bytes: number; readonly age: number }> {
    for await (const store of this.#stores()) {
      for await (const { name } of this.#entries(join(this.#deps.directory, store))) {
        const path = this.#pathOf({ store, object: name });
        const found = UUID.test(name) ? await stat(path).catch(() => undefined) : undefined;
        if (found === undefined) continue;
        const age = Math.floor(Math.log2(Math.max(1, nowMs - found.mtimeMs)) * AGES_BETWEEN);
        yield { path, bytes: found.size, age };
      }
    }
  }

  async *#stores(): AsyncGenerator<string> {
    for await (const entry of this.#entries(this.#deps.directory)) {
      if (entry.isDirectory() && UUID.test(entry.name)) yield entry.name;
    }
  }

  /** What is in a directory, a few at a time, until the cache is closed. */
  async *#entries(path: string): AsyncGenerator<Dirent> {
    const directory = await opendir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (directory === undefined) return;
    for await (const entry of directory) {
      if (this.#isClosed) return;
      yield entry;
    }
  }

  /** Logs the first failure after a success. A file that is not there is none, and a database that does not answer has its own event. */
  #failed(error: unknown): void {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (this.#isFailureTold || !/^E[A-Z]+$/.test(code) || code === "ENOENT") return;
    this.#isFailureTold = true;
    const message = `The cache in ${this.#deps.directory} cannot be used (${code}): bots are read from the database.`;
    this.#log({ level: "warn", event: "cacheFailed", message, error });
  }
}

/** Undefined if the file is not what was written, or has other lengths. */
async function readParts(file: FileHandle, lengths: readonly number[]): Promise<Buffer[] | undefined> {
  const { size } = await file.stat();
  if (size !== lengths.reduce((sum, length) => sum + length, DIGEST_BYTES)) return undefined;
  const hash = createHash("sha256");
  const parts: Buffer[] = [];
  for (const length of lengths) {
    // A buffer for each: one that is kept for long must not keep the others.
    const part = Buffer.allocUnsafeSlow(length);
    for (let from = 0; from < length; ) {
      const { bytesRead } = await file.read(part, from, Math.min(PIECE_BYTES, length - from));
      if (bytesRead === 0) return undefined;
      hash.update(part.subarray(from, from + bytesRead));
      from += bytesRead;
    }
    parts.push(part);
  }
  const { buffer: digest } = await file.read(Buffer.alloc(DIGEST_BYTES));
  return digest.equals(hash.digest()) ? parts : undefined;
}

/** Deletes a file without its final name that was left by a process that ended. */
async function removeAbandoned(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > WRITING_MS_MAX) await rm(path, { force: true });
}
