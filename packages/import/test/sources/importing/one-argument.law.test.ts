import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Bot, Engine, LoredexError } from "@loredex/core";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import type { ImportReport, ImportSourcesOptions } from "../../../src/sources/importing/import-options.ts";
import { importSources } from "../../../src/sources/importing/import-sources.ts";
import { syncSources } from "../../../src/sources/keeping/sync-sources.ts";
import { Conversions } from "../../../src/sources/reading/conversions.ts";
import { Web } from "../../../src/web/web.ts";
import { documentLine, writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { testResolver } from "../../web/support/crawled.ts";
import { answer, type TestSite, testSite } from "../../web/support/test-site.ts";
import { TestTime } from "../../web/support/test-time.ts";

/** Where a reading step throws: the step, at which of its calls, and what. */
const trap = vi.hoisted(() => {
  const set = { step: "", call: 0, error: undefined as unknown, calls: 0, isSprung: false };
  const pass = (step: string): void => {
    if (step !== set.step) return;
    set.calls += 1;
    if (set.calls !== set.call) return;
    set.isSprung = true;
    throw set.error;
  };
  /** The function, which throws when its step is set. */
  const guarded = <Args extends unknown[], Result>(step: string, inner: (...args: Args) => Result) =>
    function (this: unknown, ...args: Args): Result {
      pass(step);
      return inner.apply(this, args);
    };
  return { set, pass, guarded };
});

vi.mock("../../../src/web/sitemap.ts", async (original) => {
  const real = await original<typeof import("../../../src/web/sitemap.ts")>();
  return { ...real, readSitemap: trap.guarded("sitemap", real.readSitemap) };
});
vi.mock("../../../src/web/page-directives.ts", async (original) => {
  const real = await original<typeof import("../../../src/web/page-directives.ts")>();
  return { ...real, pageDirectives: trap.guarded("directives", real.pageDirectives) };
});
vi.mock("../../../src/web/robots.ts", async (original) => {
  const real = await original<typeof import("../../../src/web/robots.ts")>();
  return { ...real, rulesOf: trap.guarded("robots", real.rulesOf) };
});
vi.mock("../../../src/web/request.ts", async (original) => {
  const real = await original<typeof import("../../../src/web/request.ts")>();
  return { ...real, request: trap.guarded("request", real.request) };
});
vi.mock("../../../src/web/body.ts", async (original) => {
  const real = await original<typeof import("../../../src/web/body.ts")>();
  return { ...real, gunzipped: trap.guarded("gunzip", real.gunzipped) };
});
vi.mock("../../../src/sources/reading/read-file.ts", async (original) => {
  const real = await original<typeof import("../../../src/sources/reading/read-file.ts")>();
  return { ...real, readFileItems: trap.guarded("file", real.readFileItems) };
});
vi.mock("../../../src/sources/reading/converted-documents.ts", async (original) => {
  const real = await original<typeof import("../../../src/sources/reading/converted-documents.ts")>();
  return { ...real, documentsOf: trap.guarded("documents", real.documentsOf) };
});
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    stat: trap.guarded("stat", real.stat),
    realpath: trap.guarded("realpath", real.realpath),
    readdir: trap.guarded("readdir", real.readdir),
    readFile: trap.guarded("readFile", real.readFile),
  };
});

const STEPS = [
  ..."sitemap directives robots request gunzip file documents stat realpath readdir readFile".split(" "),
  ..."fetch rules admit convert resolve clock stdin".split(" "),
];

/** Two addresses of one site share its robots.txt: what throws while that is read is wrong with both. */
const OF_ROBOTS: ReadonlySet<string> = new Set(["robots", "request", "resolve", "clock"]);

beforeEach(() => {
  trap.set.step = "";
  for (const name of ["fetch", "rules", "admit"] as const) {
    const real = Web.prototype[name] as (...args: never[]) => unknown;
    vi.spyOn(Web.prototype, name).mockImplementation(trap.guarded(name, real) as never);
  }
  const { convert } = Conversions.prototype;
  vi.spyOn(Conversions.prototype, "convert").mockImplementation(trap.guarded("convert", convert));
});

class TrappedTime extends TestTime {
  override nowMs(): number {
    trap.pass("clock");
    return super.nowMs();
  }
}

const resolver = testResolver();
const machine = {
  time: new TrappedTime(),
  resolver: { ...resolver, resolve: trap.guarded("resolve", resolver.resolve) },
};

async function* standardInput(): AsyncGenerator<Uint8Array> {
  trap.pass("stdin");
  yield Buffer.from("# Told by hand\n\nA text.\n");
  trap.pass("stdin");
}

const MARKDOWN = { "content-type": "text/markdown" };
const urlset = (...addresses: readonly string[]): string =>
  `<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join("")}</urlset>`;

/** A site with a packed sitemap, and pages of which one names a sitemap by robots.txt. */
async function ownSite(): Promise<TestSite> {
  const site = await testSite({
    "/a": answer(200, MARKDOWN, "# A"),
    "/b": answer(200, MARKDOWN, "# B"),
    "/docs/": answer(200, MARKDOWN, "# Docs"),
    "/docs/c": answer(200, MARKDOWN, "# C"),
  });
  const packed = gzipSync(urlset(`${site.origin}/a`, `${site.origin}/b`));
  site.pages.set("/sitemap.xml.gz", answer(200, { "content-type": "application/gzip" }, packed));
  site.pages.set("/robots.txt", answer(200, {}, `Sitemap: ${site.origin}/map.xml`));
  site.pages.set("/map.xml", answer(200, { "content-type": "text/xml" }, urlset(`${site.origin}/docs/c`)));
  return site;
}

interface Argument {
  readonly path: string;
  /** Ids of what it brings. */
  readonly ids: readonly string[];
}

/** Arguments of every kind. */
async function ownArguments(): Promise<readonly Argument[]> {
  const { origin } = await ownSite();
  const folder = await temporaryDirectory();
  const lines = [documentLine("one"), documentLine("two")].join("\n");
  await writeFiles(folder, {
    "guide/a.md": "# A guide",
    "guide/in/b.md": "# Another",
    "notes.txt": "A note.",
    "lines.jsonl": lines,
    "parts/x.md": "# Part",
  });
  return [
    { path: join(folder, "guide"), ids: ["file:guide/a.md", "file:guide/in/b.md"] },
    { path: `${origin}/sitemap.xml.gz`, ids: [`${origin}/a`, `${origin}/b`] },
    { path: join(folder, "notes.txt"), ids: ["file:notes.txt"] },
    { path: join(folder, "lines.jsonl"), ids: ["one", "two"] },
    { path: `${origin}/docs/`, ids: [`${origin}/docs/`, `${origin}/docs/c`] },
    { path: join(folder, "parts", "*.md"), ids: ["file:parts/x.md"] },
  ];
}

async function withBot<Result>(work: (bot: Bot) => Promise<Result>): Promise<Result> {
  const engine = await Engine.open();
  try {
    const { bot } = await engine.createBot({ name: "help" });
    return await work(await engine.bot(bot.id));
  } finally {
    await engine.close();
  }
}

const ANY_ERROR = fc.constantFrom<unknown>(
  new Error("torn"),
  new TypeError("x is not a function"),
  Object.assign(new Error("io"), { code: "EIO" }),
  new LoredexError("DISK_FULL", "another disk is full"),
  "a text",
  undefined,
);
const ANY_TRAP = fc.record({ step: fc.constantFrom(...STEPS), call: fc.integer({ min: 1, max: 6 }), error: ANY_ERROR });

async function ownedIds(bot: Bot): Promise<ReadonlySet<string>> {
  return new Set((await bot.listDocuments()).map(({ resourceDocId }) => resourceDocId));
}

/** Whether a problem names the argument, or something within it. */
function isNamed({ problems }: ImportReport, { path, ids }: Argument): boolean {
  const folder = path.replace(/\*\.md$/, "");
  return problems.some(({ place }) => place.startsWith(folder) || ids.some((id) => place.startsWith(id)));
}

describe("whatever one argument throws while it is read", () => {
  const options: ImportSourcesOptions = { machine, follow: 1, ignoreRobots: false };

  it("is named in the report, and the others are imported", async () => {
    const all = await ownArguments();
    let sprung = 0;
    const law = fc.asyncProperty(ANY_TRAP, async (where) => {
      await withBot(async (bot) => {
        Object.assign(trap.set, where, { calls: 0, isSprung: false });
        const report = await importSources(
          bot,
          all.map(({ path }) => path),
          options,
        );
        trap.set.step = "";
        const ids = await ownedIds(bot);
        if (trap.set.isSprung) sprung += 1;
        for (const argument of all) {
          const isWhole = argument.ids.every((id) => ids.has(id));
          if (!isWhole) expect(isNamed(report, argument), `${argument.path} after ${where.step}`).toBe(true);
        }
        const failed = all.filter((argument) => isNamed(report, argument));
        expect(failed.length).toBeLessThanOrEqual(OF_ROBOTS.has(where.step) ? 2 : 1);
      });
    });
    await fc.assert(law, { numRuns: lawRuns(240) });
    expect(sprung).toBeGreaterThan(0);
  });

  it("is named, and takes nothing out when sources are brought up to date", async () => {
    const all = await ownArguments();
    const law = fc.asyncProperty(ANY_TRAP, fc.boolean(), async (where, isOneSource) => {
      await withBot(async (bot) => {
        const paths = all.map(({ path }) => path);
        await importSources(bot, paths, { ...options, ...(isOneSource ? { source: "all" } : {}) });
        const before = await ownedIds(bot);
        Object.assign(trap.set, where, { calls: 0, isSprung: false });
        const synced = await syncSources(bot, { machine });
        trap.set.step = "";
        expect(await ownedIds(bot)).toEqual(before);
        expect(synced.map(({ why }) => why)).toEqual(synced.map(() => undefined));
      });
    });
    await fc.assert(law, { numRuns: lawRuns(160) });
  });
});

describe("an argument that cannot be read", () => {
  it.each([
    ["is cut off", (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    ["unpacks to more than a page may have", () => gzipSync(Buffer.alloc(51 * 1_048_576, " "))],
    ["is no archive", () => Buffer.from([0x1f, 0x8b, 9, 9])],
  ])("a packed sitemap that %s is named, and the next argument is imported", async (_, broken) => {
    await withBot(async (bot) => {
      const site = await ownSite();
      const packed = broken(gzipSync(urlset(...Array.from({ length: 300 }, (__, i) => `${site.origin}/${i}`))));
      site.pages.set("/sitemap.xml.gz", answer(200, { "content-type": "application/gzip" }, packed));
      const address = `${site.origin}/sitemap.xml.gz`;
      const report = await importSources(bot, [address, `${site.origin}/a`], { machine });
      expect(report).toMatchObject({ added: 1, failed: 1 });
      expect(report.problems).toMatchObject([
        { place: address, message: expect.stringContaining("sitemap cannot be") },
      ]);
    });
  });

  it("a standard input that breaks off is named, and the next argument is imported", async () => {
    await withBot(async (bot) => {
      const folder = await temporaryDirectory();
      await writeFiles(folder, { "a.md": "# A" });
      Object.assign(trap.set, { step: "stdin", call: 2, error: new Error("the pipe broke"), calls: 0 });
      const report = await importSources(bot, ["-", join(folder, "a.md")], { source: "x", stdin: standardInput() });
      expect(report).toMatchObject({ added: 1, problems: [{ message: "the pipe broke" }] });
    });
  });

  it("ends the import where the bot takes nothing any more", async () => {
    const engine = await Engine.open();
    onTestFinished(() => engine.close());
    const bot = await engine.bot((await engine.createBot({ name: "help" })).bot.id);
    const { origin } = await ownSite();
    const full = new LoredexError("DISK_FULL", "there is no room");
    vi.spyOn(bot, "putSourceArgument").mockRejectedValue(full);
    await expect(importSources(bot, [`${origin}/a`, `${origin}/b`], { machine })).rejects.toBe(full);
  });
});
