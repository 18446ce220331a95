/**
 * Room that is kept for deletions: a file in the data directory that is given up when the disk is full. Until it can be made again, only records
 * that take nothing are written, so that the room stays theirs.
 */

import { type LoredexError, reasonOf } from "../model/errors.ts";
import type { Random } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { diskFull, systemCodeOf } from "./disk-errors.ts";
import type { FileSystem } from "./file-system.ts";
import { deleteLeftovers } from "./store-files.ts";

const FILE = "reserve";
/** Enough for some thousands of deletions. */
export const RESERVE_BYTES = 262_144;

export interface ReserveDeps {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: FileSystem;
  readonly directory: string;
  /** Where its bytes come from: a disk may keep zeros without taking room. */
  readonly random: Random;
  readonly logger: Logger;
}

export class Reserve {
  readonly #deps: ReserveDeps;
  /** `missing`: there was no room for it at the start, so that nothing is kept free for it. */
  #state: "held" | "released" | "missing" = "missing";
  #releases = 0;
  /** Settles with the changes of its file so far. Never rejects. */
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(deps: ReserveDeps) {
    this.#deps = deps;
  }

  /** Finds or makes the file. Where it does not fit, that is told, and all else works without it. */
  static async open(deps: ReserveDeps): Promise<Reserve> {
    const reserve = new Reserve(deps);
    const failure = await reserve.#hold();
    if (failure !== undefined) {
      const { directory, logger } = deps;
      const message = `There is no reserve of ${RESERVE_BYTES} bytes in ${directory}, so that a full disk may refuse to delete as well. Free some space: it is made by itself then. ${reasonOf(failure)}`;
      logger({ level: "warn", event: "reserveMissing", message });
    }
    return reserve;
  }

  /** `DISK_FULL` for a write that takes room, as long as the reserve is given up. */
  refusal(): LoredexError | undefined {
    return this.#state === "released" ? diskFull("write in", this.#deps.directory) : undefined;
  }

  /** How often the room was given up. */
  get releases(): number {
    return this.#releases;
  }

  /**
   * Gives the room up for a write that failed on a full disk. Resolves with whether there may be more of it than when the write began.
   * @param releases {@link releases} from before that write: another log may have had the room given up since
   */
  release(releases: number): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#releases > releases) return true;
      const { fileSystem, directory, logger } = this.#deps;
      try {
        await fileSystem.unlink(this.#path);
      } catch (error) {
        // Deleted by hand while it was held, it has left its room as well.
        if (this.#state !== "held" || systemCodeOf(error) !== "ENOENT") return false;
      }
      this.#state = "released";
      this.#releases += 1;
      // Some disks give the room free only now.
      await fileSystem.syncDirectory(directory).catch(() => undefined);
      const message =
        "The disk is full: the reserve was given up, so that deleting continues. Other writes are refused until there is room for it again.";
      logger({ level: "warn", event: "reserveReleased", message });
      return true;
    });
  }

  /** Makes the file again where it is missing and fits. */
  restore(): Promise<void> {
    return this.#inTurn(async () => {
      if ((this.#state === "held" && (await this.#isThere())) || (await this.#hold()) !== undefined) return;
      const message = "There is room on the disk again: the reserve for deleting was made.";
      this.#deps.logger({ level: "info", event: "reserveMade", message });
    });
  }

  /** False only where the file is missing for certain. */
  #isThere(): Promise<boolean> {
    return this.#deps.fileSystem.stat(this.#path).then(
      (found) => found !== undefined,
      () => true,
    );
  }

  /** What keeps the file from being made; undefined if it is there. */
  async #hold(): Promise<unknown> {
    const { fileSystem, directory } = this.#deps;
    try {
      const found = await fileSystem.stat(this.#path);
      if (found?.kind !== "file" || found.bytes !== RESERVE_BYTES) await this.#make();
      this.#state = "held";
      return undefined;
    } catch (error) {
      await deleteLeftovers(fileSystem, directory, [FILE]);
      return error;
    }
  }

  async #make(): Promise<void> {
    const { fileSystem, directory, random } = this.#deps;
    const freeBytes = await fileSystem.freeBytes(directory).catch(() => undefined);
    // Neither the attempt nor the reserve may fill the disk for other writes.
    if (freeBytes !== undefined && freeBytes < 2 * RESERVE_BYTES) throw diskFull("make", this.#path);
    const file = await fileSystem.open(this.#path, "create");
    try {
      await file.write([random.bytes(RESERVE_BYTES)], 0);
      // Only after this is the room certain.
      await file.sync();
    } finally {
      await file.close();
    }
  }

  get #path(): string {
    return `${this.#deps.directory}/${FILE}`;
  }

  /** One change at a time. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => undefined);
    return done;
  }
}
