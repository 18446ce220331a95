import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { it } from "vitest";
import { optionalPart } from "../../../test/support/optional-part.ts";

/** Asked in a process of its own: no more than one thread of a process may load the runtime. */
function whyNot(): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", 'import "onnxruntime-node"'], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
  });
  return status === 0 ? undefined : `onnxruntime-node can't be loaded: ${/^\w*Error.*$/m.exec(stderr)?.[0] ?? stderr}`;
}

/** What runs the model, for tests that are skipped where it is not installed. */
export const encoder = optionalPart("the encoder", whyNot());

/** A test that needs it. */
export const withEncoder = (name: string, test: () => Promise<void>): void =>
  it.skipIf(encoder.isMissing)(encoder.named(name), test);

/** Calls `use` with a new empty directory and removes it afterwards. */
export async function inTemporaryDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-encoder-"));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}
