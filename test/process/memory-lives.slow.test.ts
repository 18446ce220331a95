import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../packages/import/test/support/temporary-directory.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const SEEDS = Array.from({ length: SHORT ? 2 : 20 }, (_, i) => i + 1);
const STEPS = 300;
/** Heaps of the lives of a directory, in MiB. The later ones are too small for what the first may hold. */
const HEAPS = [250, 180, 180, 140];
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("memory-life.ts", import.meta.url));

interface Told {
  readonly try?: string;
  readonly done?: string;
  readonly bot?: string;
  readonly id?: string;
  readonly digest?: string;
  readonly ended?: boolean;
  readonly refused?: number;
}

async function life(directory: string, seed: number, heapMib: number, how: string): Promise<Told[]> {
  const given = [`--max-old-space-size=${heapMib}`, "--import", "tsx", PROGRAM, directory, `${seed}`, `${STEPS}`, how];
  const program = spawn(process.execPath, given, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  program.stdout.on("data", (data) => {
    out += data;
  });
  const [code, signal] = await once(program, "close");
  expect([code, signal], `seed ${seed}, heap of ${heapMib} MiB`).toEqual([0, null]);
  const told: Told[] = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  // The log may say something after it.
  expect(told.findLast((each) => "ended" in each)).toMatchObject({ ended: true });
  return told;
}

const digestOf = (text: string): string => createHash("sha256").update(JSON.stringify(text)).digest("hex");

it.each(SEEDS)(
  "a process is not ended by what it accepted, however small its heap is at its next start, and has all of it: seed %i",
  async (seed) => {
    const directory = await temporaryDirectory();
    /** What each document and article was last, and what it may have become since without an answer. */
    const last = new Map<string, Set<string | undefined>>();
    let refused = 0;
    for (const [number, heapMib] of HEAPS.entries()) {
      const told = await life(directory, seed, heapMib, number === 0 ? "close" : "");
      for (const { try: tried, done, bot, id, digest } of told) {
        const key = `${bot} ${id}`;
        if (done !== undefined) last.set(key, new Set([digest]));
        else if (tried !== undefined) last.set(key, (last.get(key) ?? new Set([undefined])).add(digest));
      }
      refused += told.at(-1)?.refused ?? 0;
    }
    expect(refused).toBeGreaterThan(0);
    const engine = await Engine.open({ directory, embedders: {} });
    try {
      for (const [key, digests] of last) {
        const [botId = "", ...rest] = key.split(" ");
        const id = rest.join(" ");
        const bot = await engine.bot(botId);
        const document = await bot.getDocument(id);
        const article = document === undefined ? await bot.getArticle(id) : undefined;
        const text = document !== undefined && "content" in document ? document.content[0]?.md : article?.body;
        expect([...digests], key).toContain(text === undefined ? undefined : digestOf(text));
      }
      expect(last.size).toBeGreaterThan(50);
      console.log(`seed ${seed}: ${last.size} texts, ${refused} writes refused`);
    } finally {
      await engine.close();
    }
  },
);
