/**
 * The reserve: disk space for deletions. It is a file in the data directory that is deleted when the disk is full. Until it can be created again,
 * only records that free something are written, so that the space stays theirs.
 *
 * | state | the file | appends |
 * |---|---|---|
 * | `held` | exists | all |
 * | `released` | deleted on a full disk | only records that free something |
 * | `missing` | could not be created at the start | all |
 */

import { type LoredexError, reasonOf } from "../model/errors.ts";
import type { Random } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
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
  /** The source of its bytes: a disk may store zeros without using space. */
  readonly random: Random;
  readonly logger: Logger;
}

/** The reserve of one data directory, which all its logs share. */
export class Reserve {
  readonly #deps: ReserveDeps;
  /** `missing`: it could not be created at the start, so no appends are refused for it. */
  #state: "held" | "released" | "missing" = "missing";
  #releases = 0;
  /** Changes of its file. */
  readonly #changes = new SerialQueue();

  private constructor(deps: ReserveDeps) {
    this.#deps = deps;
  }

  /** Finds or creates the file. If that fails, a warning is logged, and everything else works without it. */
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

  /** `DISK_FULL` for a record that frees nothing, while the reserve is released; else undefined. */
  refusal(): LoredexError | undefined {
    return this.#state === "released" ? diskFull("write in", this.#deps.directory) : undefined;
  }

  /** How often the reserve was released. */
  get releases(): number {
    return this.#releases;
  }

  /**
   * Releases the reserve for a write that failed on a full disk. Resolves with whether there may be more free space than when the write began.
   * @param releases {@link releases} from before that write: another log may have released the reserve since
   */
  release(releases: number): Promise<boolean> {
    return this.#changes.run(async () => {
      if (this.#releases > releases) return true;
      const { fileSystem, directory, logger } = this.#deps;
      try {
        await fileSystem.unlink(this.#path);
      } catch (error) {
        // A reserve that was deleted by hand while it was held has freed its space too.
        if (this.#state !== "held" || systemCodeOf(error) !== "ENOENT") return false;
      }
      this.#state = "released";
      this.#releases += 1;
      // Some disks free the space only at this sync.
      await fileSystem.syncDirectory(directory).catch(() => undefined);
      const message =
        "The disk is full: the reserve was given up, so that deleting continues. Other writes are refused until there is room for it again.";
      logger({ level: "warn", event: "reserveReleased", message });
      return true;
    });
  }

  /** Creates the file again if it is missing and fits. */
  restore(): Promise<void> {
    return this.#changes.run(async () => {
      if ((this.#state === "held" && (await this.#isThere())) || (await this.#hold()) !== undefined) return;
      const message = "There is room on the disk again: the reserve for deleting was made.";
      this.#deps.logger({ level: "info", event: "reserveMade", message });
    });
  }

  /** False only if the file is missing for certain. */
  #isThere(): Promise<boolean> {
    return this.#deps.fileSystem.stat(this.#path).then(
      (found) => found !== undefined,
      () => true,
    );
  }

  /** Creates the file if it is missing. Resolves with the error; undefined if the file exists now. */
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
      // Only this sync makes the space certain.
      await file.sync();
    } finally {
      await file.close();
    }
  }

  get #path(): string {
    return `${this.#deps.directory}/${FILE}`;
  }
}
