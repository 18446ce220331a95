import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";
import { npm, whyNotInstalled } from "./npm.ts";
import { ROOT } from "./packages.ts";
import { openRegistry } from "./registry.ts";
import { directoryElsewhere, type Ended, removeDirectoriesAfterwards, run, usersEnvironment } from "./users-machine.ts";

const PAGE = "docs/nextjs.md";
const CONFIG = "next.config.mjs";
const OPTIONAL = ["@loredex/hnswlib", "@loredex/mcp", "@loredex/multilingual"];
const ANSWERS_MS_MAX = 120_000;

const why = await whyNotInstalled();
const blocks = codeBlocks(PAGE, await readFile(join(ROOT, PAGE), "utf8"));
/** The page shows two settings: to load the packages from where they are installed, and for a standalone output too. */
const [, standalone] = blocks.filter(({ file }) => file === CONFIG);
removeDirectoriesAfterwards();

describe.skipIf(why !== undefined)(`the app of ${PAGE}${why === undefined ? "" : ` (did not run: ${why})`}`, () => {
  let project: string;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    project = await directoryElsewhere();
    const registry = await openRegistry();
    try {
      const [, line = ""] = /^npm (install .*)$/m.exec(blocks[0]?.text ?? "") ?? [];
      const settings = { npm_config_registry: registry.url, npm_config_ignore_scripts: "true" };
      expect(await npm(line.split(" "), project, settings)).toMatchObject({ code: 0 });
    } finally {
      await registry.close();
    }
    for (const block of blocks) if (block.file !== undefined && block.file !== CONFIG) await write(block);
  });
  afterAll(async () => {
    if (server === undefined || server.exitCode !== null) return;
    server.kill();
    await once(server, "exit");
  });

  async function write({ file = "", text }: CodeBlock): Promise<void> {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }

  function build(): Promise<Ended> {
    const next = join(project, "node_modules", "next", "dist", "bin", "next");
    return run(process.execPath, [next, "build"], { cwd: project, env: environment() });
  }

  it("is built without any setting, where no optional package is installed", async () => {
    for (const name of OPTIONAL) expect(existsSync(join(project, "node_modules", name))).toBe(false);
    const { code, out, err } = await build();
    expect(`${out}${err}`).not.toMatch(/Module not found|Can't resolve|node_modules\/@?loredex[^\n]*\n(?!\.)[^\n]+/);
    expect(code).toBe(0);
  });

  it("is built as standalone output with the page's settings, and finds by meaning there", async () => {
    if (standalone === undefined) throw new Error("The page shows no settings for a standalone output.");
    await write(standalone);
    expect(await build()).toMatchObject({ code: 0 });
    const place = join(project, ".next", "standalone");
    const port = await freePort();
    server = spawn(process.execPath, ["server.js"], {
      cwd: place,
      env: { ...environment(), PORT: String(port), HOSTNAME: "127.0.0.1" },
      stdio: "ignore",
    });
    const best = await vi.waitUntil(() => answer(port), { timeout: ANSWERS_MS_MAX, interval: 500 });
    expect(best).toBe("A refund takes three working days.");
  });
});

function environment(): NodeJS.ProcessEnv {
  return usersEnvironment({ NEXT_TELEMETRY_DISABLED: "1" });
}

/** What is found by meaning alone: the question shares no word with it. */
async function answer(port: number): Promise<string | undefined> {
  const url = `http://127.0.0.1:${port}/api/search?q=when+do+I+get+my+money+back`;
  const response = await fetch(url).catch(() => undefined);
  if (response === undefined) return undefined;
  const body = await response.text();
  if (!response.ok) throw new Error(`The app answered ${response.status}: ${body}`);
  const [best] = JSON.parse(body) as { similarTextParts: { text: string }[] }[];
  return best?.similarTextParts[0]?.text;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
