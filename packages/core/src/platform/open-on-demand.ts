import { LoredexError } from "../model/errors.ts";
import { closeEach } from "./close-each.ts";

/** What keeps an idle value from being closed: nothing; work that continues after the next opening; or work that must finish first. */
export type Occupation = "none" | "interruptible" | "uninterruptible";

export interface OpenOnDemandDeps<Value> {
  readonly open: (id: string) => Promise<Value>;
  /** Closes a value, so that it can be opened again. */
  readonly close: (value: Value) => Promise<void>;
  readonly occupation: (value: Value) => Occupation;
  /** Resolves when the value has no uninterruptible work any more. */
  readonly whenInterruptible: (value: Value) => Promise<void>;
  /** About how much memory a value takes, in bytes; called after every use. */
  readonly bytes: (value: Value) => number;
  /** How many values may be open at once; others wait. At least 1. */
  readonly openMax: number;
  /** Memory from which on idle values are evicted, in bytes. The value that was used last always stays. */
  readonly bytesMax: number;
  /** Called when a value is being closed because others need its place or its memory. */
  readonly onEvict: (id: string, value: Value) => void;
  /** Called when an evicted value could not be closed properly. */
  readonly onCloseFailed: (id: string, error: unknown) => void;
  /** Called when the work of {@link OpenOnDemand.use} with an open value fails. */
  readonly onWorkFailed?: (id: string, error: unknown) => void;
  /** Whether opening again would fail with the same error: then it is not tried again. */
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
  /** The value, once it is open. */
  value: Value | undefined;
  users = 0;
  bytes = 0;
  /** Settles when it is closed; never rejects. */
  leaving: Promise<void> | undefined;
  /** Whether its uninterruptible work is being awaited. */
  isWatched = false;
  /** Whether it stays open to the end, without taking a place from others. */
  isForGood = false;

  constructor(id: string, open: (slot: Slot<Value>) => Promise<Value>) {
    this.id = id;
    this.opened = open(this);
    // Callers that await it get the error.
    this.opened.catch(() => undefined);
  }
}

/**
 * A bounded pool of values that are opened on use, each once at a time. A value that is not in use is evicted when others need its place or its memory:
 * least recently used first.
 *
 *     state       has a place   next
 *     waiting     no            opening, when a place is free
 *     opening     yes           open; or gone, after an error
 *     open        yes           closing, when evicted, discarded or closed
 *     for good    no            closing, when discarded or closed
 *     closing     yes           gone; a caller that asks meanwhile opens it again afterwards
 *
 * An error of opening for which `isRefused` is true is kept, and answers every later use. Evicting scans the open values: O(open values).
 */
export class OpenOnDemand<Value extends object> {
  readonly #deps: OpenOnDemandDeps<Value>;
  /** Least recently used first. */
  readonly #slots = new Map<string, Slot<Value>>();
  /** The id of the value that was used last. Not the value: a closed value must be collectable. */
  #last: string | undefined;
  /** Places taken by values that are being opened, are open, or are being closed. */
  #places = 0;
  /** The number of values that are being opened. */
  #opening = 0;
  /** Openings that wait for a place. */
  readonly #waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  /** The number of open values that are being closed: each will free a place. */
  #leaving = 0;
  /** Memory of the open values that are not being closed, in bytes. */
  #bytes = 0;
  #isClosed = false;

  constructor(deps: OpenOnDemandDeps<Value>) {
    this.#deps = deps;
  }

  /** The number of values that are open, being opened or being closed. */
  get count(): number {
    return this.#places;
  }

  /** The open values that are not being closed. */
  get values(): Value[] {
    return [...this.#slots.values()].flatMap(({ value, leaving }) =>
      value === undefined || leaving !== undefined ? [] : [value],
    );
  }

  /** The value of an id, if it is open and not being closed. */
  valueOf(id: string): Value | undefined {
    const slot = this.#slots.get(id);
    return slot?.leaving === undefined ? slot?.value : undefined;
  }

  /** Memory of the open values that are not being closed, as measured after their last use, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether more than half of the places and of the memory are free, and no opening waits. */
  get isHalfFree(): boolean {
    const { openMax, bytesMax } = this.#deps;
    return this.#waiting.length === 0 && this.#places < openMax / 2 && this.#bytes < bytesMax / 2;
  }

  /** Whether any value is being opened, which a caller awaits. */
  get isOpening(): boolean {
    return this.#opening > 0;
  }

  /** Whether a value is open or being opened, and not being closed. */
  has(id: string): boolean {
    return this.#slots.get(id)?.leaving === undefined && this.#slots.has(id);
  }

  /** Works with a value, which stays open meanwhile. @throws the error of opening it */
  async use<Result>(id: string, work: (value: Value) => Result | Promise<Result>): Promise<Result> {
    const { value, release } = await this.hold(id);
    try {
      return await work(value);
    } catch (error) {
      this.#deps.onWorkFailed?.(id, error);
      throw error;
    } finally {
      release();
    }
  }

  /** Keeps a value open until it is released. @throws the error of opening it */
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

  /** Keeps an open value until it is discarded or all are closed. It gives its place to others, since they could never get it. */
  keepForGood(id: string): void {
    const slot = this.#slots.get(id);
    if (slot?.value === undefined || slot.leaving !== undefined || slot.isForGood) return;
    slot.isForGood = true;
    this.#freePlace();
  }

  /** Finds a value that is open or being opened; undefined also if it cannot be opened. Does not keep it open. */
  async find(id: string): Promise<Value | undefined> {
    const slot = this.#slots.get(id);
    return slot?.leaving === undefined ? slot?.opened.catch(() => undefined) : undefined;
  }

  /** Evicts idle values, least recently used first, but only if together they free this many bytes, and memory is bounded at all. */
  evict(bytes: number): void {
    if (this.#deps.bytesMax === Number.POSITIVE_INFINITY) return;
    const idle = [...this.#slots.values()].filter((slot) => this.#isEvictable(slot, "none"));
    if (idle.reduce((sum, slot) => sum + slot.bytes, 0) < bytes) return;
    const enough = this.#bytes - bytes;
    this.#evict("none", () => this.#bytes > enough);
  }

  /** Closes a value with `close`, even if it is in use. A caller that asks for it meanwhile has it opened again. */
  async discard(id: string, close: (value: Value) => Promise<void>): Promise<void> {
    const slot = this.#slots.get(id);
    if (slot !== undefined) await (slot.leaving ?? this.#leave(slot, close));
  }

  /** Closes all values, even those in use, and opens none any more. After trying all, throws the first error. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    await closeEach(
      [...this.#slots.values()].map((slot) => ({
        close: () => slot.leaving ?? this.#leave(slot, this.#deps.close),
      })),
    );
  }

  /** The slot of a value, with one more user. Nothing is awaited once it is found. */
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
      const value = await this.#deps.open(slot.id);
      slot.value = value;
      return value;
    } catch (error) {
      this.#freePlace();
      if (!this.#deps.isRefused(slot.id, error)) this.#forget(slot);
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  #forget(slot: Slot<Value>): void {
    if (this.#slots.get(slot.id) === slot) this.#slots.delete(slot.id);
  }

  /** Resolves when one more value may be opened. */
  async #place(): Promise<void> {
    if (this.#places < this.#deps.openMax) {
      this.#places += 1;
      return;
    }
    const place = new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#evictAsNeeded();
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
    // The work of this use may still make it larger.
    if (slot.value !== undefined && this.#deps.occupation(slot.value) === "uninterruptible") this.#watch(slot);
    this.#evictAsNeeded();
  }

  #measure(slot: Slot<Value>): void {
    if (slot.value === undefined || slot.leaving !== undefined) return;
    const bytes = this.#deps.bytes(slot.value);
    this.#bytes += bytes - slot.bytes;
    slot.bytes = bytes;
  }

  /** Evicts as many values as others need the places or the memory of. */
  #evictAsNeeded(): void {
    this.#evict("none", () => this.#lacksPlaces || this.#bytes > this.#deps.bytesMax);
    this.#evict("interruptible", () => this.#lacksPlaces);
    if (!this.#lacksPlaces) return;
    for (const slot of this.#slots.values()) if (slot.users === 0) this.#watch(slot);
  }

  get #lacksPlaces(): boolean {
    return this.#waiting.length > this.#leaving;
  }

  #evict(occupation: Occupation, isNeeded: () => boolean): void {
    if (!isNeeded()) return;
    for (const slot of this.#slots.values()) {
      if (!isNeeded()) return;
      const { id, value } = slot;
      if (value === undefined || !this.#isEvictable(slot, occupation)) continue;
      const closing = this.#leave(slot, this.#deps.close);
      this.#deps.onEvict(id, value);
      closing.catch((error: unknown) => this.#deps.onCloseFailed(id, error));
    }
  }

  #isEvictable({ id, value, users, leaving, isForGood }: Slot<Value>, occupation: Occupation): boolean {
    if (value === undefined || users > 0 || leaving !== undefined || isForGood) return false;
    // Its memory alone may exceed the budget.
    if (id === this.#last && !this.#lacksPlaces) return false;
    return this.#deps.occupation(value) === occupation;
  }

  #watch(slot: Slot<Value>): void {
    if (slot.value === undefined || slot.leaving !== undefined || slot.isWatched) return;
    slot.isWatched = true;
    const retry = (): void => {
      slot.isWatched = false;
      this.#measure(slot);
      this.#evictAsNeeded();
    };
    this.#deps.whenInterruptible(slot.value).then(retry, retry);
  }

  #leave(slot: Slot<Value>, close: (value: Value) => Promise<void>): Promise<void> {
    this.#bytes -= slot.bytes;
    slot.bytes = 0;
    const closing = this.#closeAndFree(slot, close);
    slot.leaving = closing.catch(() => undefined);
    return closing;
  }

  async #closeAndFree(slot: Slot<Value>, close: (value: Value) => Promise<void>): Promise<void> {
    // A value that waits to be opened has no place yet, and one that stays for good has given it up.
    const leavesPlace = slot.value !== undefined && !slot.isForGood;
    if (leavesPlace) this.#leaving += 1;
    const value = await slot.opened.catch(() => undefined);
    try {
      if (value !== undefined) await close(value);
    } finally {
      if (leavesPlace) this.#leaving -= 1;
      this.#forget(slot);
      if (value !== undefined && !slot.isForGood) this.#freePlace();
      this.#evictAsNeeded();
    }
  }
}

function closedError(): LoredexError {
  return new LoredexError("CLOSED", "The engine is closed.");
}
