/** All files of blocks of one store, by their names. */

import type { BlockStore } from "./block-store.ts";
import { FileBlocks } from "./file-blocks.ts";
import type { SnapshotPlace } from "./snapshot.ts";
import type { StoreListing } from "./store-files.ts";

export class StoreBlocks {
  readonly #byName = new Map<string, FileBlocks>();
  /** Files that lay there at the last look, and their bytes. */
  #lying: StoreListing["blocks"] = [];

  named(place: SnapshotPlace, name: string): BlockStore {
    const blocks = this.#byName.get(name) ?? new FileBlocks(place, name);
    this.#byName.set(name, blocks);
    return blocks;
  }

  /** Tells what files there are. */
  found(files: StoreListing["blocks"]): void {
    this.#lying = files;
  }

  /** Bytes of those that are in use, and of those that nobody has opened. */
  get bytes(): number {
    const all = [...this.#byName.values()];
    const unused = this.#lying.filter(({ name }) => !all.some((blocks) => blocks.isFound && blocks.isOwn(name)));
    return [...all.map((blocks) => blocks.sizes()), ...unused].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  isInUse(name: string): boolean {
    return [...this.#byName.values()].some((blocks) => blocks.isInUse(name));
  }

  /** How many blocks were written whole into each file that is in use: what follows in it is being written. */
  written(): ReadonlyMap<string, number> {
    return new Map([...this.#byName.values()].flatMap((blocks) => blocks.written()));
  }

  /** Writes all anew without what was removed. What is not in use after it is to be deleted. */
  async purge(): Promise<void> {
    for (const blocks of this.#byName.values()) await blocks.purge();
  }

  async close(): Promise<void> {
    for (const blocks of this.#byName.values()) await blocks.close();
  }
}
