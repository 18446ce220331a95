import { LoredexError } from "../domain/errors.ts";
import { closeEach } from "./close-each.ts";

/**
 * What keeps a value from being closed although nobody uses it: nothing; work that goes on where it was left when it is opened
 * again; or something that has to be waited for.
 */
export type Occupation = "none" | "interruptible" | "uninterruptible";

export interface KeptOpenParts<Value> {
  readonly open: (id: string) => Promise<Value>;
  /** So that it can be opened again. */
  readonly close: (value: Value) => Promise<void>;
  readonly occupation: (value: Value) => Occupation;
  /** Resolves when nothing has to be waited for any more. */
  readonly whenInterruptible: (value: Value) => Promise<void>;
  /** About how much memory it takes; asked for after every use. */
  readonly bytes: (value: Value) => number;
  /** How many may be open at once: others wait for their turn. At least 1. */
  readonly openMax: number;
  /** Memory from which on idle ones are let go; the one that was used last always stays. */
  readonly bytesMax: number;
  /** Told of one that is about to be closed because others need its place. */
  readonly onLetGo: (id: string, value: Value) => void;
  /** Told when one that was let go could not be closed properly. */
  readonly onCloseFailed: (id: string, error: unknown) => void;
  /** Whether an opening that failed like this would fail again: then it is not tried again. */
  readonly isRefused: (id: string, error: unknown) => boolean;
}

/** A value in use: it stays open until it is released. */
export interface Held<Value> {
  readonly value: Value;
  release(): void;
}

class Slot<Value> {
  readonly id: string;
  readonly opened: Promise<Value>;
  /** As soon as it is open. */
  value: Value | undefined;
  users = 0;
  bytes = 0;
  /** Settles when it is closed; never rejects. */
  leaving: Promise<void> | undefined;
  /** It is waited for what it is occupied with. */
  isWatched = false;
  /** It stays open to the end, and takes no place from others. */
  isForGood = false;

  constructor(id: string, open: (slot: Slot<Value>) => Promise<Value>) {
    this.id = id;
    this.opened = open(this);
    // Whoever waits for it hears of it.
    this.opened.catch(() => undefined);
  }
}

/**
 * Values that are opened when they are used, each once at a time, and closed again when others need their memory or their place: least recently
 * used first, and none that somebody uses.
 */
export class KeptOpen<Value extends object> {
  readonly #parts: KeptOpenParts<Value>;
  /** Least recently used first. */
  readonly #slots = new Map<string, Slot<Value>>();
  /** The one that was used last, by its name alone: what is closed is nobody's any more. */
  #last: string | undefined;
  /** Places taken by what is being opened, is open, or is being closed. */
  #places = 0;
  /** How many are being opened. */
  #opening = 0;
  /** Openings that wait for a place. */
  readonly #waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  /** Of those open, how many are being closed: each will leave a place. */
  #leaving = 0;
  /** Memory of those that are not being closed. */
  #bytes = 0;
  #isClosed = false;

  constructor(parts: KeptOpenParts<Value>) {
    this.#parts = parts;
  }

  /** How many are open, being opened or being closed. */
  get count(): number {
    return this.#places;
  }

  /** Those that are open, and that nobody closes. */
  get values(): Value[] {
    return [...this.#slots.values()].flatMap(({ value, leaving }) =>
      value === undefined || leaving !== undefined ? [] : [value],
    );
  }

  /** Memory of those that are open and not being closed, as it was measured after their last use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether more than half of what may be open at once is free. */
  get isRoomy(): boolean {
    const { openMax, bytesMax } = this.#parts;
    return this.#waiting.length === 0 && this.#places < openMax / 2 && this.#bytes < bytesMax / 2;
  }

  /** Whether any is being opened, which somebody waits for. */
  get isOpening(): boolean {
    return this.#opening > 0;
  }

  /** Whether it is open or being opened, and nobody closes it. */
  has(id: string): boolean {
    return this.#slots.get(id)?.leaving === undefined && this.#slots.has(id);
  }

  /** Works with a value, which stays open meanwhile. @throws what opening it throws */
  async use<Result>(id: string, work: (value: Value) => Result | Promise<Result>): Promise<Result> {
    const { value, release } = await this.hold(id);
    try {
      return await work(value);
    } finally {
      release();
    }
  }

  /** Keeps a value open until it is released. @throws what opening it throws */
  async hold(id: string): Promise<Held<Value>> {
    const slot = await this.#enter(id);
    try {
      const value = await slot.opened;
      let isHeld = true;
      const release = (): void => {
        if (isHeld) this.#release(slot);
        isHeld = false;
      };
      return { value, release };
    } catch (error) {
      this.#release(slot);
      throw error;
    }
  }

  /** Keeps an open value until it is discarded or all are closed. It leaves its place to others, which could never get it. */
  keepForGood(id: string): void {
    const slot = this.#slots.get(id);
    if (slot?.value === undefined || slot.leaving !== undefined || slot.isForGood) return;
    slot.isForGood = true;
    this.#freePlace();
  }

  /** The value if it is open or being opened; undefined for one that cannot be opened, too. Nothing keeps it open. */
  async find(id: string): Promise<Value | undefined> {
    const slot = this.#slots.get(id);
    return slot?.leaving === undefined ? slot?.opened.catch(() => undefined) : undefined;
  }

  /** Evicts idle values, least recently used first, but only if together they free so many bytes, and values may be evicted at all. */
  evict(bytes: number): void {
    if (this.#parts.bytesMax === Number.POSITIVE_INFINITY) return;
    const idle = [...this.#slots.values()].filter((slot) => this.#isEvictable(slot, "none"));
    if (idle.reduce((sum, slot) => sum + slot.bytes, 0) < bytes) return;
    const enough = this.#bytes - bytes;
    this.#letGo("none", () => this.#bytes > enough);
  }

  /** Closes a value in this way, whoever uses it. Whoever asks for it meanwhile has it opened anew. */
  async discard(id: string, close: (value: Value) => Promise<void>): Promise<void> {
    const slot = this.#slots.get(id);
    if (slot !== undefined) await (slot.leaving ?? this.#leave(slot, close));
  }

  /** Opens nothing any more, and closes all there are, whoever uses them. The first error is thrown when all were tried. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    await closeEach(
      [...this.#slots.values()].map((slot) => ({
        close: () => slot.leaving ?? this.#leave(slot, this.#parts.close),
      })),
    );
  }

  /** The slot of a value, which has one user more. Nothing is awaited once it is found. */
  async #enter(id: string): Promise<Slot<Value>> {
    for (;;) {
      if (this.#isClosed) throw closedError();
      const slot = this.#slots.get(id) ?? new Slot(id, (opening) => this.#open(opening));
      if (slot.leaving === undefined) {
        this.#slots.delete(id);
        this.#slots.set(id, slot);
        this.#last = id;
        slot.users += 1;
        return slot;
      }
      await slot.leaving;
    }
  }

  async #open(slot: Slot<Value>): Promise<Value> {
    try {
      await this.#place();
    } catch (error) {
      this.#forget(slot);
      throw error;
    }
    this.#opening += 1;
    try {
      const value = await this.#parts.open(slot.id);
      slot.value = value;
      return value;
    } catch (error) {
      this.#freePlace();
      if (!this.#parts.isRefused(slot.id, error)) this.#forget(slot);
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  #forget(slot: Slot<Value>): void {
    if (this.#slots.get(slot.id) === slot) this.#slots.delete(slot.id);
  }

  /** Resolves when one more may be opened. */
  async #place(): Promise<void> {
    if (this.#places < this.#parts.openMax) {
      this.#places += 1;
      return;
    }
    const place = new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#makeRoom();
    await place;
  }

  #freePlace(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#places -= 1;
    else next.resolve();
  }

  #release(slot: Slot<Value>): void {
    slot.users -= 1;
    this.#measure(slot);
    // What it was given to do may make it larger.
    if (slot.value !== undefined && this.#parts.occupation(slot.value) === "uninterruptible") this.#watch(slot);
    this.#makeRoom();
  }

  #measure(slot: Slot<Value>): void {
    if (slot.value === undefined || slot.leaving !== undefined) return;
    const bytes = this.#parts.bytes(slot.value);
    this.#bytes += bytes - slot.bytes;
    slot.bytes = bytes;
  }

  /** Lets go of as many as others need the places or the memory of. */
  #makeRoom(): void {
    this.#letGo("none", () => this.#lacksPlaces || this.#bytes > this.#parts.bytesMax);
    this.#letGo("interruptible", () => this.#lacksPlaces);
    if (!this.#lacksPlaces) return;
    for (const slot of this.#slots.values()) if (slot.users === 0) this.#watch(slot);
  }

  get #lacksPlaces(): boolean {
    return this.#waiting.length > this.#leaving;
  }

  #letGo(occupation: Occupation, isNeeded: () => boolean): void {
    if (!isNeeded()) return;
    for (const slot of this.#slots.values()) {
      if (!isNeeded()) return;
      const { id, value } = slot;
      if (value === undefined || !this.#isEvictable(slot, occupation)) continue;
      const closing = this.#leave(slot, this.#parts.close);
      this.#parts.onLetGo(id, value);
      closing.catch((error: unknown) => this.#parts.onCloseFailed(id, error));
    }
  }

  #isEvictable({ id, value, users, leaving, isForGood }: Slot<Value>, occupation: Occupation): boolean {
    if (value === undefined || users > 0 || leaving !== undefined || isForGood) return false;
    // Its memory alone may be more than there is to be.
    if (id === this.#last && !this.#lacksPlaces) return false;
    return this.#parts.occupation(value) === occupation;
  }

  #watch(slot: Slot<Value>): void {
    if (slot.value === undefined || slot.leaving !== undefined || slot.isWatched) return;
    slot.isWatched = true;
    const goOn = (): void => {
      slot.isWatched = false;
      this.#measure(slot);
      this.#makeRoom();
    };
    this.#parts.whenInterruptible(slot.value).then(goOn, goOn);
  }

  #leave(slot: Slot<Value>, close: (value: Value) => Promise<void>): Promise<void> {
    this.#bytes -= slot.bytes;
    slot.bytes = 0;
    const closing = this.#closeAndFree(slot, close);
    slot.leaving = closing.catch(() => undefined);
    return closing;
  }

  async #closeAndFree(slot: Slot<Value>, close: (value: Value) => Promise<void>): Promise<void> {
    // One that waits to be opened has no place that it could leave, and one that stays for good has left it.
    const leavesPlace = slot.value !== undefined && !slot.isForGood;
    if (leavesPlace) this.#leaving += 1;
    const value = await slot.opened.catch(() => undefined);
    try {
      if (value !== undefined) await close(value);
    } finally {
      if (leavesPlace) this.#leaving -= 1;
      this.#forget(slot);
      if (value !== undefined && !slot.isForGood) this.#freePlace();
      this.#makeRoom();
    }
  }
}

function closedError(): LoredexError {
  return new LoredexError("CLOSED", "The engine is closed.");
}
