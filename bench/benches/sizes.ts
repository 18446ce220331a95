import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printTable } from "../measuring/table.ts";

/**
 * What a bot takes: memory of the process, and disk, by the number of its passages, with the small built-in encoder. Each is filled by a
 * process of its own and measured in another, which has just opened it.
 */

const SIZES = [1_000, 10_000, 100_000];
const SHORT_SIZES = [200];
const MEASURED = fileURLToPath(new URL("../programs/size-of-bot.ts", import.meta.url));
const run = promisify(execFile);

export async function sizes({ short, json }: { short: boolean; json: boolean }): Promise<void> {
  const rows: object[] = [];
  for (const size of short ? SHORT_SIZES : SIZES) rows.push(await measure(size));
  if (json) console.log(JSON.stringify(rows));
  else printTable(rows);
}

async function measure(size: number): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  const child = async (...args: string[]): Promise<object> => {
    const { stdout } = await run(process.execPath, ["--expose-gc", "--import", "tsx", MEASURED, directory, ...args]);
    return JSON.parse(stdout);
  };
  try {
    await child("fill", String(size));
    const opened = await child("open");
    return { ...opened, "directory MB": (await bytesBelow(directory)) / 1e6 };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function bytesBelow(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
