/** A copy of stored bytes on a node's disk. */

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { carefulLogger, type Logger, storageKit } from "@loredex/core";
import type { ObjectKey } from "./chunks.ts";

/** Which of these the database still has. */
export interface StoredIds {
  stores(ids: readonly string[]): Promise<ReadonlySet<string>>;
  objects(store: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface DiskCacheDeps {
  readonly directory: string;
  readonly bytesMax: number;
  readonly stored: StoredIds;
  readonly logger: Logger | undefined;
}

/** What the database has deleted is deleted here within this time, if this node did not see it. */
const SWEPT_EACH_MS = 3_600_000;
/** A file that is still being written is not older. */
const WRITING_MS_MAX = 3_600_000;
/** Bytes that wait to be written at once. One object of any length may wait alone. */
const PENDING_BYTES_MAX = 67_108_864;
/** Stores that are asked for in one statement. */
const ASKED_MAX = 1_000;
/** A SHA-256 of the rest of the file. */
const DIGEST_BYTES = 32;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A file that is being written: its object, and an id of its own. */
const UNFINISHED = /^[0-9a-f-]{36}\.[0-9a-f-]{36}\.tmp$/;

/**
 * Keeps objects that never change, in a file each: `DIRECTORY/STORE/OBJECT`, all names UUIDs. A file begins with its checksum and gets its name when it is
 * whole. So several processes may share a directory, and a damaged file is read from the database again. No method rejects: without a cache all is slower,
 * and nothing fails.
 */
export class DiskCache {
  readonly #deps: DiskCacheDeps;
  readonly #log: Logger;
  readonly #queue = new storageKit.SerialQueue();
  readonly #timer: NodeJS.Timeout;
  #pendingBytes = 0;
  /** Bytes written since all files were counted. */
  #uncounted = 0;
  #isFailureTold = false;

  constructor(deps: DiskCacheDeps) {
    this.#deps = deps;
    this.#log = carefulLogger(deps.logger);
    this.#timer = setInterval(() => this.#sweepSoon(), SWEPT_EACH_MS);
    this.#timer.unref();
    this.#sweepSoon();
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
      this.#uncounted += bytes;
      if (this.#uncounted > this.#deps.bytesMax / 20) await this.#trim();
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
    return this.#run(() => this.#removeStore(store));
  }

  /** Deletes what the database no longer has of a store: this node may have purged it, or another one. */
  sweepStore(store: string): Promise<void> {
    return this.#run(() => this.#sweepStore(store));
  }

  /** Resolves when what was called has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#queue.settled();
  }

  #pathOf({ store, object }: ObjectKey): string {
    return join(this.#deps.directory, store, object);
  }

  #run(work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work).catch((error: unknown) => this.#failed(error));
  }

  async #write(key: ObjectKey, pieces: readonly Uint8Array[]): Promise<void> {
    const path = this.#pathOf(key);
    await mkdir(join(this.#deps.directory, key.store), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}.tmp`;
    const file = await open(unfinished, "wx", 0o600);
    try {
      await file.write(digestOf(pieces));
      for (const piece of pieces) await file.writeFile(piece);
      await file.close();
      await rename(unfinished, path);
      this.#isFailureTold = false;
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  #sweepSoon(): void {
    void this.#run(async () => {
      const stores = await this.#stores();
      for (let from = 0; from < stores.length; from += ASKED_MAX) {
        const some = stores.slice(from, from + ASKED_MAX);
        const stored = await this.#deps.stored.stores(some);
        for (const store of some) {
          if (stored.has(store)) await this.#sweepStore(store);
          else await this.#removeStore(store);
        }
      }
      await this.#trim();
    });
  }

  async #removeStore(store: string): Promise<void> {
    await rm(join(this.#deps.directory, store), { recursive: true, force: true });
  }

  async #sweepStore(store: string): Promise<void> {
    const names = await namesIn(join(this.#deps.directory, store));
    const objects = names.filter((name) => UUID.test(name));
    const stored = objects.length === 0 ? undefined : await this.#deps.stored.objects(store, objects);
    for (const name of names) {
      const path = join(this.#deps.directory, store, name);
      const isLeft = UUID.test(name) ? stored?.has(name) !== true : UNFINISHED.test(name) && (await isAbandoned(path));
      if (isLeft) await rm(path, { force: true });
    }
  }

  /** Deletes the least recently used files, until a tenth of the maximum is free. */
  async #trim(): Promise<void> {
    this.#uncounted = 0;
    const files: { readonly path: string; readonly bytes: number; readonly usedMs: number }[] = [];
    for (const store of await this.#stores()) {
      for (const name of await namesIn(join(this.#deps.directory, store))) {
        const path = join(this.#deps.directory, store, name);
        const found = UUID.test(name) ? await stat(path).catch(() => undefined) : undefined;
        if (found !== undefined) files.push({ path, bytes: found.size, usedMs: found.mtimeMs });
      }
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes <= this.#deps.bytesMax) return;
    for (const file of files.sort((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= this.#deps.bytesMax * 0.9) return;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
  }

  async #stores(): Promise<string[]> {
    const entries = await readdir(this.#deps.directory, { withFileTypes: true }).catch(nothingIfMissing);
    return entries.filter((entry) => entry.isDirectory() && UUID.test(entry.name)).map(({ name }) => name);
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
  const parts: Buffer[] = [];
  let at = 0;
  for (const length of [DIGEST_BYTES, ...lengths]) {
    // A buffer for each: one that is kept for long must not keep the others.
    const part = Buffer.allocUnsafeSlow(length);
    for (let from = 0; from < length; ) {
      const { bytesRead } = await file.read(part, from, length - from, at + from);
      if (bytesRead === 0) return undefined;
      from += bytesRead;
    }
    parts.push(part);
    at += length;
  }
  const [digest, ...rest] = parts;
  return digest?.equals(digestOf(rest)) === true ? rest : undefined;
}

function digestOf(pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(nothingIfMissing);
}

function nothingIfMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

/** Whether a file without its final name was left by a process that ended. */
async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > WRITING_MS_MAX;
}
