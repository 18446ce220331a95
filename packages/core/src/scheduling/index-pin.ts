import { type Deferred, deferred } from "./deferred.ts";
import type { Sliced } from "./time-slices.ts";

/**
 * Pins an index: keeps it as it is until a reader has finished.
 *
 *     state      change()             pin()      background work ({@link TimeSlices})
 *     free       runs immediately     → pinned   works
 *     pinned     deferred, by name    –          waits for whenFree()
 *     released   runs immediately     –          waits until the deferred changes have run
 *
 * Invariant: every deferred change runs before the next reader starts.
 */
export class IndexPin {
  /** The deferred changes by name, in the order of their first call. */
  readonly #changes = new Map<string, () => void>();
  #isDeferring = false;
  /** Resolves when the index is free; undefined while it is. */
  #free: Deferred | undefined;

  /** Whether background work must wait. */
  get isPinned(): boolean {
    return this.#free !== undefined;
  }

  /** Resolves when the index is free, and no change is deferred any more. */
  whenFree(): Promise<void> {
    return this.#free?.promise ?? Promise.resolve();
  }

  /** Makes a change: immediately, or after the pin. Changes of one name are made once: the last one, in the place of the first. */
  change(name: string, make: () => void): void {
    if (this.#isDeferring) this.#changes.set(name, make);
    else make();
  }

  /**
   * Pins the index for one reader. Returns a function that unpins it and makes the deferred changes as sliced work.
   * All changes are made, even if one throws; the first error is thrown at the end.
   * @throws Error if another reader has pinned it: one search queue at most may use an index
   */
  pin(): () => Sliced<void> {
    if (this.isPinned) throw new Error("A pinned index can't be pinned again.");
    this.#isDeferring = true;
    this.#free = deferred();
    return () => this.#unpin();
  }

  *#unpin(): Sliced<void> {
    // New changes run immediately: they come after the deferred ones, or undo them.
    this.#isDeferring = false;
    const failures: unknown[] = [];
    try {
      for (const [name, make] of this.#changes) {
        this.#changes.delete(name);
        // The other changes are independent, and nobody would make them later.
        try {
          make();
        } catch (error) {
          failures.push(error);
        }
        yield;
      }
    } finally {
      this.#free?.resolve();
      this.#free = undefined;
    }
    if (failures.length > 0) throw failures[0];
  }
}
