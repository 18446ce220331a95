/** Which faults the crash proofs try. */

import type { FileSystem } from "../../src/storage/file-system.ts";
import type { Fault } from "../../testing/simulated-file-system.ts";
import { proveLife, type Trial } from "./crash-life.ts";

const KINDS = ["failOnce", "failFrom", "crash"] as const;
const ENDS = ["kill", "power cut"] as const;

/** Every `step`th I/O of a life × each kind of fault × each end, and I/Os that find the disk full. */
export async function* faultsOf(seed: number, step: number): AsyncGenerator<Trial> {
  const operations = await proveLife({ seed, fault: undefined, end: "kill" });
  let turn = seed % step;
  for (const kind of KINDS) {
    for (const end of ENDS) {
      // Another offset each time, so that samples of different kinds are not of the same I/Os.
      turn += 1;
      for (let at = 1 + (turn % step); at <= operations; at += step) {
        const code: Fault["code"] = at % 3 === 0 ? "ENOSPC" : "EIO";
        yield { seed: seed * 100_003 + at, fault: { at, kind, code }, end };
      }
    }
  }
}

/** How many of `trials` lives that end by a power cut somewhere lose something on a disk made worse. */
export async function lossesOf(trials: number, spoil: (fileSystem: FileSystem) => FileSystem): Promise<number> {
  let losses = 0;
  for (let seed = 1; seed <= trials; seed += 1) {
    const fault = { at: 20 + seed * 5, kind: "crash" } as const;
    await proveLife({ seed, fault, end: "power cut", spoil }).catch(() => {
      losses += 1;
    });
  }
  return losses;
}
