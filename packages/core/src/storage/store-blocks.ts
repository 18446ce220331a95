/** All blocks files of one store, by name. */

import type { BlockStore } from "./block-store.ts";
import { FileBlocks } from "./file-blocks.ts";
import type { SnapshotPlace } from "./snapshot.ts";
import type { StoreListing } from "./store-files.ts";

/** The {@link FileBlocks} of one store, and the blocks files that are not opened. */
export class StoreBlocks {
  readonly #byName = new Map<string, FileBlocks>();
  /** Blocks files of the last directory listing, and their bytes. */
  #lying: StoreListing["blocks"] = [];

  named(place: SnapshotPlace, name: string): BlockStore {
    const blocks = this.#byName.get(name) ?? new FileBlocks(place, name);
    this.#byName.set(name, blocks);
    return blocks;
  }

  /** Updates the list of files. */
  found(files: StoreListing["blocks"]): void {
    this.#lying = files;
  }

  /** Bytes of all blocks files, opened or not. */
  get bytes(): number {
    const all = [...this.#byName.values()];
    const unused = this.#lying.filter(({ name }) => !all.some((blocks) => blocks.isFound && blocks.isOwn(name)));
    return [...all.map((blocks) => blocks.sizes()), ...unused].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  isInUse(name: string): boolean {
    return [...this.#byName.values()].some((blocks) => blocks.isInUse(name));
  }

  /** The number of whole blocks in each file that is in use. Bytes after them are being written. */
  written(): ReadonlyMap<string, number> {
    return new Map([...this.#byName.values()].flatMap((blocks) => blocks.written()));
  }

  /** Rewrites all files without removed blocks. The caller must delete files that are not in use afterwards. */
  async purge(): Promise<void> {
    for (const blocks of this.#byName.values()) await blocks.purge();
  }

  async close(): Promise<void> {
    for (const blocks of this.#byName.values()) await blocks.close();
  }
}
