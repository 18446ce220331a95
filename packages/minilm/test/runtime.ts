import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const MODEL_DIRECTORY = fileURLToPath(new URL("../model/", import.meta.url));

async function loads(): Promise<boolean> {
  try {
    await import("onnxruntime-node");
    return true;
  } catch {
    return false;
  }
}

/** Whether the model can run on this machine. */
export const RUNS = await loads();

/** The name of a suite that needs the model: where it cannot run, the report says why. */
export function needsRuntime(name: string): string {
  return RUNS ? name : `${name} (skipped: onnxruntime-node cannot be loaded here)`;
}

/** Calls `use` with a new empty directory and removes it afterwards. */
export async function inTemporaryDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-minilm-"));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}
