/** A disk whose power can be cut: an ext4 image in a file, mounted through a loop device. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IMAGE_BYTES = 536_870_912;

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], timeout: 60_000 });
}

/** A mounted image. What was not synced in it has not reached the image's file. */
export class LoopDisk {
  readonly #folder: string;
  readonly #image: string;
  readonly #generation: number;
  /** Where it is mounted. */
  readonly path: string;

  private constructor(folder: string, generation: number) {
    this.#folder = folder;
    this.#generation = generation;
    this.#image = join(folder, `disk-${generation}.img`);
    this.path = join(folder, `disk-${generation}`);
  }

  static make(): LoopDisk {
    const disk = new LoopDisk(mkdtempSync(join(tmpdir(), "loredex-power-")), 1);
    run("truncate", "--size", String(IMAGE_BYTES), disk.#image);
    run("mkfs.ext4", "-q", "-F", disk.#image);
    disk.#mount();
    return disk;
  }

  /** Cuts the power: the disk as it is found when it comes back. This one is gone. */
  cut(): LoopDisk {
    const next = new LoopDisk(this.#folder, this.#generation + 1);
    // The copy is what had reached the disk; then the old one may finish what it likes.
    run("cp", "--sparse=always", this.#image, next.#image);
    this.#unmount();
    rmSync(this.#image);
    next.#mount();
    return next;
  }

  remove(): void {
    this.#unmount();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #mount(): void {
    mkdirSync(this.path);
    run("mount", "-o", "loop", this.#image, this.path);
  }

  #unmount(): void {
    run("umount", this.path);
  }
}

/** Why this machine cannot cut the power of a disk; undefined if it can. */
export function whyNoLoopDisk(): string | undefined {
  try {
    const disk = LoopDisk.make();
    disk.cut().remove();
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message.trim().replace(/\s+/g, " ") : String(error);
    return `no loop-mounted disk here: ${said}`;
  }
}
