import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";
import { npm, whyNotInstalled } from "./npm.ts";
import { ROOT } from "./packages.ts";
import { openRegistry } from "./registry.ts";
import { directoryElsewhere, type Ended, removeDirectoriesAfterwards, run, usersEnvironment } from "./users-machine.ts";

const PAGE = "docs/nextjs.md";
const CONFIG = "next.config.mjs";
const OPTIONAL = ["@loredex/hnswlib", "@loredex/mcp", "@loredex/multilingual"];
const LIBRARY = "lib/knowledge.js";
const ROUTE = "app/api/search/route.js";
const WAIT = { timeout: 120_000, interval: 500 };

const why = await whyNotInstalled();
const blocks = codeBlocks(PAGE, await readFile(join(ROOT, PAGE), "utf8"));
const file = (name: string): string => blocks.find((block) => block.file === name)?.text ?? "";
/** The page shows two settings: to load the packages from where they are installed, and for a standalone output too. */
const [external, standalone] = blocks.filter(({ file }) => file === CONFIG);
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
  afterEach(async () => {
    if (server === undefined || server.exitCode !== null) return;
    server.kill();
    await once(server, "exit");
  });

  async function write({ file = "", text }: CodeBlock): Promise<void> {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }

  const next = () => join(project, "node_modules", "next", "dist", "bin", "next");

  function build(): Promise<Ended> {
    return run(process.execPath, [next(), "build"], { cwd: project, env: environment() });
  }

  /** Serves in development, with two edits of the module that opens the engine and of the route. Returns the answer after the last. */
  async function edited(library: string): Promise<string> {
    if (external === undefined) throw new Error("The page shows no setting for the packages.");
    await write(external);
    const port = await freePort();
    const args = [next(), "dev", "--port", String(port), "--hostname", "127.0.0.1"];
    for (const edit of [0, 1, 2]) {
      await writeFile(join(project, LIBRARY), `${library}\nexport const edit = ${edit};\n`);
      await writeFile(
        join(project, ROUTE),
        `${file(ROUTE).replace("export async function GET", "async function answer")}
        export async function GET(request) {
          try {
            return Response.json({ edit: ${edit}, found: await (await answer(request)).json() });
          } catch (error) {
            return Response.json({ edit: ${edit}, code: error.code });
          }
        }`,
      );
      if (edit === 0) server = spawn(process.execPath, args, { cwd: project, env: environment(), stdio: "ignore" });
      await vi.waitUntil(async () => (await body(port))?.startsWith(`{"edit":${edit}`), WAIT);
    }
    const last = (await body(port)) ?? "";
    for (const name of [LIBRARY, ROUTE]) await writeFile(join(project, name), file(name));
    return last;
  }

  it("is built without any setting, where no optional package is installed", async () => {
    for (const name of OPTIONAL) expect(existsSync(join(project, "node_modules", name))).toBe(false);
    const { code, out, err } = await build();
    expect(`${out}${err}`).not.toMatch(/Module not found|Can't resolve|node_modules\/@?loredex[^\n]*\n(?!\.)[^\n]+/);
    expect(code).toBe(0);
  });

  it("keeps one engine in development, through edits", async () => {
    expect(await edited(file(LIBRARY))).toContain("A refund takes three working days.");
  });

  it("would be caught if it opened another engine after an edit", async () => {
    expect(await edited(file(LIBRARY).replace("(globalThis)", "({})"))).toContain("DIRECTORY_IN_USE");
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
    const best = await vi.waitUntil(() => answer(port), WAIT);
    expect(best).toBe("A refund takes three working days.");
  });
});

function environment(): NodeJS.ProcessEnv {
  return usersEnvironment({ NEXT_TELEMETRY_DISABLED: "1" });
}

/** What is found by meaning alone: the question shares no word with it. */
async function answer(port: number): Promise<string | undefined> {
  const found = await body(port);
  if (found === undefined) return undefined;
  const [best] = JSON.parse(found) as { similarTextParts: { text: string }[] }[];
  return best?.similarTextParts[0]?.text;
}

/** What the app answers; undefined while it does not listen. */
async function body(port: number): Promise<string | undefined> {
  const url = `http://127.0.0.1:${port}/api/search?q=when+do+I+get+my+money+back`;
  const response = await fetch(url).catch(() => undefined);
  const text = await response?.text();
  if (response?.ok === false) throw new Error(`The app answered ${response.status}: ${text}`);
  return text;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
