import type { Sliced } from "./time-slices.ts";

/**
 * Something that is read in turns and changes between them. Who reads it may keep it still for a while: whoever works on it in the background
 * rests until it is free again ({@link TimeSlices}), and a change that nobody may wait for is put off, and made up for before anybody else reads.
 */
export class IndexPin {
  /** What was put off, by what it is about. */
  readonly #changes = new Map<string, () => void>();
  #isPuttingOff = false;
  /** Resolves when it is free; undefined while it is. */
  #free: Promise<void> | undefined;
  #onFree: (() => void) | undefined;

  /** Whether whoever works on it must rest. */
  get isKept(): boolean {
    return this.#free !== undefined;
  }

  /** Resolves when nothing is put off any more. */
  whenFree(): Promise<void> {
    return this.#free ?? Promise.resolve();
  }

  /** Makes a change: at once, or once it is let go. Put off again under the same name it is made once, in the place of the first. */
  change(name: string, make: () => void): void {
    if (this.#isPuttingOff) this.#changes.set(name, make);
    else make();
  }

  /** Nothing of it changes from now on; one reader at a time may ask for that. What this returns lets it go, and does in steps what was put off: all of it, also where one throws, which is thrown at the end. */
  keep(): () => Sliced<void> {
    this.#isPuttingOff = true;
    this.#free = new Promise((resolve) => {
      this.#onFree = resolve;
    });
    return () => this.#evict();
  }

  *#evict(): Sliced<void> {
    // What comes from now on comes behind all that has been put off, or undoes it.
    this.#isPuttingOff = false;
    const failures: unknown[] = [];
    try {
      for (const [name, make] of this.#changes) {
        this.#changes.delete(name);
        // The others are of other things, and nobody would make them later.
        try {
          make();
        } catch (error) {
          failures.push(error);
        }
        yield;
      }
    } finally {
      this.#free = undefined;
      this.#onFree?.();
    }
    if (failures.length > 0) throw failures[0];
  }
}
