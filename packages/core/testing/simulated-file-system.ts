import { LoredexError } from "../src/model/errors.ts";
import type { DirectoryLock, FileStatus, FileSystem, OpenFile, OpenMode } from "../src/storage/file-system.ts";
import {
  type SeededRandom,
  SimulatedDirectory,
  SimulatedFile,
  type SimulatedNode,
  seededRandom,
} from "./simulated-bytes.ts";

/** A fault at the I/O number `at`, counted from 1 over the disk's life. */
export interface Fault {
  readonly at: number;
  /** `crash`: this I/O happens fully, partly or not at all. No later one happens, since the process is gone. */
  readonly kind: "failOnce" | "failFrom" | "crash";
  /** The error's code. Default `EIO`. */
  readonly code?: string;
  /** Only I/Os of this kind fail, the first of them from `at` on. Default: any. */
  readonly operation?: FileOperation;
  /** Only I/Os on paths with this ending fail. Default: any. */
  readonly pathEnd?: string;
}

export type FileOperation =
  | "open"
  | "requireAccess"
  | "stat"
  | "size"
  | "read"
  | "write"
  | "truncate"
  | "dataSync"
  | "sync"
  | "close"
  | "rename"
  | "unlink"
  | "readDirectory"
  | "makeDirectory"
  | "removeDirectory"
  | "syncDirectory";

export interface SimulatedFileSystemOptions {
  /** Seed of the losses at a crash and a failing sync. Default 1. */
  readonly seed?: number;
  /** Most bytes of all files together. Default: no limit. */
  readonly capacityBytes?: number;
}

/** The effect of a call, and its effect if it fails. Default: none. */
interface Effect<T> {
  readonly run: () => T;
  readonly failing?: () => void;
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${path}`), { code });
}

/**
 * A disk in memory. It remembers which changes were synced. At a power cut a seed decides which other changes are lost.
 * It fails at a given I/O. Every call of the port is one I/O, so a test can put a fault at each of them in turn.
 */
export class SimulatedFileSystem implements FileSystem {
  /** Most bytes of all files together. Can be changed at any time. */
  capacityBytes: number;
  #root = new SimulatedDirectory();
  #random: SeededRandom;
  readonly #locked = new Set<string>();
  readonly #counts = new Map<FileOperation, number>();
  #operations = 0;
  #fault: Fault | undefined;
  #faultHappened = false;
  #dead = false;

  constructor(options: SimulatedFileSystemOptions = {}) {
    this.capacityBytes = options.capacityBytes ?? Number.POSITIVE_INFINITY;
    this.#random = seededRandom(options.seed ?? 1);
  }

  /** I/Os so far. */
  get operations(): number {
    return this.#operations;
  }

  /** Whether the fault that was set has happened. */
  get faultHappened(): boolean {
    return this.#faultHappened;
  }

  /** Whether the disk is dead: it crashed, or its successor was created. */
  get isDead(): boolean {
    return this.#dead;
  }

  /** I/Os of one kind so far. */
  count(operation: FileOperation): number {
    return this.#counts.get(operation) ?? 0;
  }

  /** Sets the next fault, or none. */
  setFault(fault: Fault | undefined): void {
    this.#fault = fault;
    this.#faultHappened = false;
  }

  /** The disk after a power cut: all synced changes, and those others that the seed keeps. This disk is dead from now on. */
  afterPowerCut(): SimulatedFileSystem {
    this.#root.loseUnsynced(this.#random);
    return this.afterKill();
  }

  /** The disk as the next process sees it after this one was killed, without losses. This disk is dead from now on. */
  afterKill(): SimulatedFileSystem {
    this.#dead = true;
    const next = new SimulatedFileSystem({ capacityBytes: this.capacityBytes });
    next.#root = this.#root;
    next.#random = this.#random;
    return next;
  }

  readonly lockDirectory = async (directory: string): Promise<DirectoryLock> => {
    if (this.#locked.has(directory)) {
      throw new LoredexError("DIRECTORY_IN_USE", `The data directory ${directory} is in use by this program already.`);
    }
    this.#locked.add(directory);
    return {
      lost: async () => undefined,
      release: async () => {
        this.#locked.delete(directory);
      },
    };
  };

  open(path: string, mode: OpenMode): Promise<OpenFile> {
    return this.#io("open", path, {
      run: () => {
        const { parent, name } = this.#parentOf(path);
        let node = parent.get(name);
        if (node === undefined && mode === "create") {
          node = new SimulatedFile();
          parent.change({ added: { name, node } });
        }
        if (node === undefined) throw systemError("ENOENT", path);
        if (node.kind === "directory") throw systemError("EISDIR", path);
        if (mode === "create" && node.bytes > 0) node.truncate(0);
        return this.#openFile(node, path, mode);
      },
    });
  }

  #openFile(file: SimulatedFile, path: string, mode: OpenMode): OpenFile {
    let closed = false;
    const io = <T>(operation: FileOperation, effect: Effect<T>): Promise<T> =>
      closed ? Promise.reject(systemError("EBADF", path)) : this.#io(operation, path, effect);
    const changing = <T>(operation: FileOperation, effect: Effect<T>): Promise<T> =>
      mode === "read" ? Promise.reject(systemError("EBADF", path)) : io(operation, effect);
    return {
      read: (target, position) => io("read", { run: () => file.read(target, position) }),
      write: (chunks, position) => {
        const bytes = Buffer.concat(chunks);
        const writePart = (count: number) => file.write(position, bytes.subarray(0, count));
        const run = () => {
          const room = this.#roomFor(file, position);
          writePart(Math.min(room, bytes.length));
          if (room < bytes.length) throw systemError("ENOSPC", path);
        };
        return changing("write", { run, failing: () => writePart(Math.floor(this.#random() * bytes.length)) });
      },
      truncate: (bytes) => changing("truncate", { run: () => file.truncate(bytes) }),
      dataSync: () => io("dataSync", { run: () => file.sync(), failing: () => file.failSync(this.#random) }),
      sync: () => io("sync", { run: () => file.sync(), failing: () => file.failSync(this.#random) }),
      size: () => io("size", { run: () => file.bytes }),
      identity: () => io("stat", { run: () => String(file.number) }),
      close: () => {
        const result = io("close", { run: () => undefined });
        closed = true;
        return result;
      },
    };
  }

  /** Grants access to everything, unless the next fault refuses it. It does not count as an I/O. */
  async requireAccess(path: string): Promise<void> {
    if (this.#fault?.operation === "requireAccess") await this.#io("requireAccess", path, { run: () => undefined });
  }

  stat(path: string): Promise<FileStatus | undefined> {
    return this.#io("stat", path, {
      run: () => {
        const node = this.#find(path);
        return node === undefined ? undefined : { kind: node.kind, bytes: node.bytes, identity: String(node.number) };
      },
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#io("rename", from, {
      run: () => {
        const source = this.#parentOf(from);
        const target = this.#parentOf(to);
        const node = source.parent.get(source.name);
        if (node === undefined) throw systemError("ENOENT", from);
        if (source.parent !== target.parent) throw systemError("EXDEV", to);
        if (target.parent.get(target.name)?.kind === "directory") throw systemError("EEXIST", to);
        source.parent.change({ removed: source.name, added: { name: target.name, node } });
      },
    });
  }

  unlink(path: string): Promise<void> {
    return this.#io("unlink", path, {
      run: () => {
        const { parent, name } = this.#parentOf(path);
        const node = parent.get(name);
        if (node === undefined) throw systemError("ENOENT", path);
        if (node.kind === "directory") throw systemError("EISDIR", path);
        parent.change({ removed: name });
      },
    });
  }

  readDirectory(path: string): Promise<string[]> {
    return this.#io("readDirectory", path, { run: () => this.#directory(path).names() });
  }

  makeDirectory(path: string): Promise<void> {
    return this.#io("makeDirectory", path, {
      run: () => {
        const { parent, name } = this.#parentOf(path);
        if (parent.get(name) !== undefined) throw systemError("EEXIST", path);
        parent.change({ added: { name, node: new SimulatedDirectory() } });
      },
    });
  }

  removeDirectory(path: string): Promise<void> {
    return this.#io("removeDirectory", path, {
      run: () => {
        const { parent, name } = this.#parentOf(path);
        if (this.#directory(path).names().length > 0) throw systemError("ENOTEMPTY", path);
        parent.change({ removed: name });
      },
    });
  }

  async freeBytes(): Promise<number | undefined> {
    return Math.max(0, this.capacityBytes - this.#usedBytes());
  }

  /** Syncs names. A failed sync loses nothing yet: names are journalled, and unsynced ones stay to be written. */
  syncDirectory(path: string): Promise<void> {
    return this.#io("syncDirectory", path, { run: () => this.#directory(path).sync() });
  }

  async #io<T>(operation: FileOperation, path: string, effect: Effect<T>): Promise<T> {
    // As on a real disk, nothing has happened when the call returns.
    await undefined;
    if (this.#dead) throw systemError("EIO", path);
    this.#operations += 1;
    this.#counts.set(operation, this.count(operation) + 1);
    const fault = this.#faultNow(operation, path);
    if (fault === undefined) return effect.run();
    if (fault.kind === "crash") {
      this.#dead = true;
      if (this.#random() < 0.5) effect.run();
      else effect.failing?.();
    } else effect.failing?.();
    throw systemError(fault.code ?? "EIO", path);
  }

  #faultNow(operation: FileOperation, path: string): Fault | undefined {
    const fault = this.#fault;
    if (fault === undefined || this.#operations < fault.at) return undefined;
    if (fault.operation !== undefined && fault.operation !== operation) return undefined;
    if (fault.pathEnd !== undefined && !path.endsWith(fault.pathEnd)) return undefined;
    if (fault.kind === "failOnce" && this.#faultHappened) return undefined;
    this.#faultHappened = true;
    return fault;
  }

  /** Bytes that fit into a file from `position` on. */
  #roomFor(file: SimulatedFile, position: number): number {
    return Math.max(0, file.bytes - position) + Math.max(0, this.capacityBytes - this.#usedBytes());
  }

  #usedBytes(): number {
    const used = (node: SimulatedNode): number =>
      node.kind === "file" ? node.bytes : node.nodes().reduce((sum, child) => sum + used(child), 0);
    return used(this.#root);
  }

  #find(path: string): SimulatedNode | undefined {
    let node: SimulatedNode | undefined = this.#root;
    for (const name of path.split("/").filter((part) => part !== "" && part !== ".")) {
      node = node?.kind === "directory" ? node.get(name) : undefined;
    }
    return node;
  }

  #directory(path: string): SimulatedDirectory {
    const node = this.#find(path);
    if (node === undefined) throw systemError("ENOENT", path);
    if (node.kind !== "directory") throw systemError("ENOTDIR", path);
    return node;
  }

  #parentOf(path: string): { readonly parent: SimulatedDirectory; readonly name: string } {
    const cut = path.lastIndexOf("/");
    return { parent: this.#directory(path.slice(0, Math.max(cut, 0))), name: path.slice(cut + 1) };
  }
}
