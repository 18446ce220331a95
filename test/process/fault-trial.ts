/** Runs the writing program of these tests on a disk with real faults, and looks at what it left. */

import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { expect } from "vitest";
import { sourceProgram } from "../../packages/import/src/isolated/program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Built before: where few files can be opened, a loader of sources takes them all. */
const LIFE = sourceProgram(fileURLToPath(new URL("faulty-life.ts", import.meta.url)));

/** What the program said. */
export interface Life {
  /** Ids of articles that were acknowledged. */
  readonly acknowledged: readonly string[];
  /** Codes by the number of the write that was refused. */
  readonly refused: ReadonlyMap<number, string>;
  /** Codes of snapshots that failed. */
  readonly snapshots: readonly string[];
  /** Whether another bot could be opened, after each write. */
  readonly others: readonly boolean[];
  /** Articles that could be read, and that were found, after each write. */
  readonly reads: readonly { readonly reads: number; readonly found: number }[];
  /** Why it ended early, or was not opened at all. */
  readonly ended: string | undefined;
}

interface Line {
  readonly n?: number;
  readonly id?: string;
  readonly code?: string;
  readonly snapshot?: number;
  readonly other?: number;
  readonly reads?: number;
  readonly found?: number;
  readonly ended?: string;
}

/** A directory with the bots that the program writes to, and no more. */
export async function prepareFaulty(directory: string): Promise<void> {
  const engine = await Engine.open({ directory, embedders: {} });
  await engine.createBot({ name: "faulty" });
  await engine.createBot({ name: "other" });
  await engine.close();
}

/** Runs the program behind other programs, `strace` for example. */
export function live(before: readonly string[], directory: string, ...rest: readonly string[]): Life {
  const [command = "", ...args] = [...before, process.execPath, ...LIFE.execArgv, LIFE.path, directory, ...rest];
  const { stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 120_000,
    // Faults are counted by thread; with one thread for the disk their numbers mean something.
    env: { ...process.env, UV_THREADPOOL_SIZE: "1", UV_USE_IO_URING: "0" },
  });
  if (error !== undefined) throw error;
  const lines = stdout.split("\n").filter((line) => line.endsWith("}"));
  const said = lines.map((line): Line => JSON.parse(line));
  if (said.length === 0) throw new Error(`the program said nothing: ${stderr}`);
  const refused = said.flatMap(({ n, code }) => (n === undefined || code === undefined ? [] : [[n, code] as const]));
  return {
    acknowledged: said.flatMap(({ id }) => id ?? []),
    refused: new Map(refused),
    snapshots: said.flatMap(({ snapshot, code }) => (snapshot === undefined ? [] : (code ?? []))),
    others: said.flatMap(({ other, code }) => (other === undefined ? [] : [code === undefined])),
    reads: said.flatMap(({ reads, found }) => (reads === undefined || found === undefined ? [] : [{ reads, found }])),
    ended: said.find(({ ended }) => ended !== undefined)?.ended,
  };
}

/** Fails unless a start finds all that was acknowledged, nothing that was refused for sure, and a whole store. */
export async function expectKept(directory: string, { acknowledged, refused }: Life): Promise<void> {
  const engine = await Engine.open({ directory, embedders: {} });
  try {
    expect((await engine.verify()).stores.flatMap(({ problems }) => problems)).toEqual([]);
    const bot = await engine.bot("faulty");
    const articles = await bot.listArticles();
    const ids = articles.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...acknowledged]));
    const unsure = [...refused].filter(([, code]) => code === "READ_ONLY").map(([n]) => `Write ${n}`);
    const others = articles.filter(({ id }) => !acknowledged.includes(id)).map(({ title }) => title);
    expect(others.filter((title) => !unsure.includes(title))).toEqual([]);
    const characters = articles.reduce((sum, { characterCount }) => sum + characterCount, 0);
    expect(await bot.stats()).toMatchObject({ characterUsed: characters, rateUsed: characters });
    await bot.createArticle({ title: "After", body: "It goes on." });
  } finally {
    await engine.close();
  }
}

export async function inDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-faults-"));
  try {
    await prepareFaulty(directory);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Why a program cannot be run here; undefined if it can. */
export function whyNot(command: string, ...args: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8", timeout: 20_000 });
  if (status === 0) return undefined;
  return `${command} does not work here: ${(error?.message ?? stderr).trim().replace(/\s+/g, " ")}`;
}
