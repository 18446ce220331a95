import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { FakeEmbedder } from "../../packages/core/test/support/fake-embedder.ts";
import { sourceProgram } from "../../packages/import/src/isolated/program.ts";

const WRITER = sourceProgram(fileURLToPath(new URL("./embedding-writer.ts", import.meta.url)));

/** Runs the writer until it has told of so many vectors, kills it, and returns the last number that it told. */
async function killedAt(directory: string, vectors: number): Promise<number> {
  const child = spawn(process.execPath, [...WRITER.execArgv, WRITER.path, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last >= vectors) child.kill("SIGKILL");
  }
  await exited;
  return last;
}

it("a process killed while it embeds goes on where it stopped", { timeout: 60_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-embedding-"));
  try {
    const told = await killedAt(directory, 40);
    expect(told).toBeLessThan(300);
    const fakes: FakeEmbedder[] = [];
    const open = async (): Promise<FakeEmbedder> => {
      const fake = new FakeEmbedder();
      fakes.push(fake);
      return fake;
    };
    // Nobody asks for the bot: the start itself takes the work up again.
    const engine = await Engine.open({ directory, embedders: { fake: { languages: ["en"], open } } });
    await expect.poll(() => fakes.length, { timeout: 10_000 }).toBe(1);
    const bot = await engine.bot("bot");
    await bot.whenUpgraded();
    const embedded = fakes[0]?.passages.length ?? 0;
    expect((await bot.stats()).vectors).toMatchObject({ texts: 300, vectors: 300, documentsWaiting: 0 });
    expect(embedded).toBeLessThanOrEqual(300 - told);
    expect(embedded).toBeGreaterThan(0);
    expect((await bot.search("w299"))[0]?.resourceDocId).toBe("d299");
    await engine.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
