/** Files and directories of a simulated disk. They remember which of their changes were synced. */

/** The unit that a disk writes atomically. */
const SECTOR_BYTES = 512;

/** Returns numbers from 0 up to, not including, 1: the same sequence for the same seed. */
export type SeededRandom = () => number;

/** The generator mulberry32: good enough to scatter faults, not for secrets. */
export function seededRandom(seed: number): SeededRandom {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Change =
  | { readonly kind: "write"; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly bytes: number };

/** A growing array of bytes. */
class GrowingBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  copy(): GrowingBytes {
    const copy = new GrowingBytes();
    copy.apply({ kind: "write", position: 0, bytes: this.view() });
    return copy;
  }

  apply(change: Change): void {
    if (change.kind === "write") {
      this.#extend(change.position + change.bytes.length);
      this.#bytes.set(change.bytes, change.position);
      return;
    }
    this.#extend(change.bytes);
    this.#bytes.fill(0, change.bytes, this.#length);
    this.#length = change.bytes;
  }

  #extend(length: number): void {
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#length = Math.max(this.#length, length);
  }
}

/** The number of created files and directories, from which each gets its own. */
let made = 0;

export class SimulatedFile {
  readonly kind = "file";
  readonly number = ++made;
  /** The contents that programs see. */
  #content = new GrowingBytes();
  /** The contents on the medium. */
  #durable = new GrowingBytes();
  /** Changes that may or may not have reached the medium. */
  #pending: Change[] = [];

  get bytes(): number {
    return this.#content.length;
  }

  read(target: Uint8Array, position: number): number {
    const part = this.#content.view().subarray(position, position + target.length);
    target.set(part);
    return part.length;
  }

  write(position: number, bytes: Uint8Array): void {
    if (bytes.length > 0) this.#change({ kind: "write", position, bytes: Uint8Array.from(bytes) });
  }

  truncate(bytes: number): void {
    this.#change({ kind: "truncate", bytes });
  }

  #change(change: Change): void {
    this.#content.apply(change);
    this.#pending.push(change);
  }

  sync(): void {
    for (const change of this.#pending) this.#durable.apply(change);
    this.#pending = [];
  }

  /** A failed sync, as systems do it: lost changes are not written again, although programs still see them. */
  failSync(random: SeededRandom): void {
    this.#loseSome(random);
    this.#pending = [];
  }

  /** The state after a power cut. */
  loseUnsynced(random: SeededRandom): void {
    this.#loseSome(random);
    this.#pending = [];
    this.#content = this.#durable.copy();
  }

  #loseSome(random: SeededRandom): void {
    const pending = this.#pending;
    const way = random();
    if (way < 0.2 || pending.length === 0) return;
    if (way < 0.4) for (const change of pending) this.#durable.apply(change);
    else if (way < 0.6) this.#keepBeginning(pending, random);
    else this.#keepSectors(pending, random);
  }

  /** Case 1: the disk wrote in order until the power cut. */
  #keepBeginning(pending: readonly Change[], random: SeededRandom): void {
    const kept = Math.floor(random() * pending.length);
    for (const change of pending.slice(0, kept)) this.#durable.apply(change);
    const torn = pending[kept];
    if (torn?.kind !== "write") return;
    const bytes = Math.floor((random() * torn.bytes.length) / SECTOR_BYTES) * SECTOR_BYTES;
    if (bytes > 0) this.#durable.apply({ ...torn, bytes: torn.bytes.subarray(0, bytes) });
  }

  /** Case 2: the disk wrote in its own order. Unwritten ranges of the file have zeros or older bytes. */
  #keepSectors(pending: readonly Change[], random: SeededRandom): void {
    const before = this.#durable.length;
    const garbage = random() < 0.5;
    const kept = random();
    for (const change of pending) {
      if (change.kind === "truncate") {
        if (random() < kept) this.#durable.apply(change);
        continue;
      }
      for (let at = 0; at < change.bytes.length; ) {
        const position = change.position + at;
        const end = Math.min(change.bytes.length, at + SECTOR_BYTES - (position % SECTOR_BYTES));
        let bytes = change.bytes.subarray(at, end);
        const lost = random() >= kept;
        // Only bytes that the file did not have before can be garbage: a sector is old or new, never a mixture.
        if (lost && garbage && position >= before) bytes = bytes.map(() => Math.floor(random() * 256));
        if (!lost || (garbage && position >= before)) this.#durable.apply({ kind: "write", position, bytes });
        at = end;
      }
    }
    if (random() < 0.5 && this.#durable.length < this.#content.length) {
      this.#durable.apply({ kind: "truncate", bytes: this.#content.length });
    }
  }
}

export type SimulatedNode = SimulatedFile | SimulatedDirectory;

/** An atomic change of names. */
interface NameChange {
  readonly removed?: string;
  readonly added?: { readonly name: string; readonly node: SimulatedNode };
}

export class SimulatedDirectory {
  readonly kind = "directory";
  readonly number = ++made;
  readonly bytes = 0;
  #entries = new Map<string, SimulatedNode>();
  #durable = new Map<string, SimulatedNode>();
  #pending: NameChange[] = [];

  get(name: string): SimulatedNode | undefined {
    return this.#entries.get(name);
  }

  names(): string[] {
    return [...this.#entries.keys()];
  }

  nodes(): SimulatedNode[] {
    return [...this.#entries.values()];
  }

  change(change: NameChange): void {
    applyNames(this.#entries, change);
    this.#pending.push(change);
  }

  sync(): void {
    for (const change of this.#pending) applyNames(this.#durable, change);
    this.#pending = [];
  }

  /** The state after a power cut, of this directory and below. */
  loseUnsynced(random: SeededRandom): void {
    const inOrder = random() < 0.5;
    const kept = random() < 0.2 ? 0 : random();
    for (const change of this.#pending) {
      if (random() < kept) applyNames(this.#durable, change);
      else if (inOrder) break;
    }
    this.#pending = [];
    this.#entries = new Map(this.#durable);
    for (const node of this.#entries.values()) node.loseUnsynced(random);
  }
}

function applyNames(entries: Map<string, SimulatedNode>, change: NameChange): void {
  if (change.removed !== undefined) entries.delete(change.removed);
  if (change.added !== undefined) entries.set(change.added.name, change.added.node);
}
