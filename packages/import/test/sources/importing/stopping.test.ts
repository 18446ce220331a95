import { getEventListeners } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bot, Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ImportSourcesOptions } from "../../../src/sources/importing/import-options.ts";
import { importSources } from "../../../src/sources/importing/import-sources.ts";
import type { ImportTarget } from "../../../src/sources/importing/import-target.ts";
import type { ImportProblem } from "../../../src/sources/importing/tally.ts";
import { syncSources } from "../../../src/sources/keeping/sync-sources.ts";
import { documentLine, writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { testResolver } from "../../web/support/crawled.ts";
import { answer, type SitePage, type TestSite, testSite } from "../../web/support/test-site.ts";
import { TestTime } from "../../web/support/test-time.ts";

const ENOUGH = new Error("enough");
const MARKDOWN = { "content-type": "text/markdown" };

async function ownBot(): Promise<Bot> {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const { bot } = await engine.createBot({ name: "help" });
  return engine.bot(bot.id);
}

/** Time that stands still for whoever waits. */
class LongTime extends TestTime {
  readonly #onWait: () => void;

  constructor(onWait: () => void) {
    super();
    this.#onWait = onWait;
  }

  override wait(): Promise<void> {
    this.#onWait();
    return new Promise(() => undefined);
  }
}

/** A site with a sitemap of these pages. */
function mapped(site: TestSite, ...names: readonly string[]): void {
  const listed = names.map((name) => `<url><loc>${site.origin}/${name}</loc></url>`);
  site.pages.set("/sitemap.xml", answer(200, { "content-type": "text/xml" }, `<urlset>${listed.join("")}</urlset>`));
  for (const name of names) site.pages.set(`/${name}`, answer(200, MARKDOWN, `# ${name}`));
}

describe("the signal ends an import", () => {
  it.each<[string, SitePage]>([
    ["while a page does not come", () => undefined],
    ["while the rest of a page does not come", (_, response) => void response.writeHead(200, MARKDOWN).write("# Half")],
    [
      "while the rest of a packed page does not come",
      (_, response) => {
        response.writeHead(200, { ...MARKDOWN, "content-encoding": "gzip" });
        response.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
      },
    ],
  ])("%s: what is in stays, and nothing is removed", async (_, slow) => {
    const bot = await ownBot();
    const site = await testSite({});
    mapped(site, "a", "old");
    const machine = { time: new TestTime(), resolver: testResolver() };
    await importSources(bot, [`${site.origin}/sitemap.xml`], { machine });
    const [before] = await bot.listSources();
    mapped(site, "a", "slow", "z");
    const stop = new AbortController();
    site.pages.set("/slow", (request, response) => {
      if (typeof slow !== "string") slow(request, response);
      setImmediate(() => stop.abort(ENOUGH));
    });
    const onProblem = ({ message }: ImportProblem): never => expect.fail(message);
    await expect(syncSources(bot, { machine, signal: stop.signal, onProblem })).rejects.toBe(ENOUGH);
    const ids = (await bot.listDocuments()).map(({ resourceDocId }) => resourceDocId.replace(site.origin, ""));
    expect(ids.sort()).toEqual(["/a", "/old"]);
    expect(await bot.listSources()).toEqual([before]);
    expect(machine.time.limitsLeft).toBe(0);
    // The same again goes on.
    mapped(site, "a", "slow", "z");
    expect(await syncSources(bot, { machine })).toMatchObject([{ report: { added: 2, removed: 1, failed: 0 } }]);
  });

  it("while it waits until a site may be asked again, or asks it once more", async () => {
    const bot = await ownBot();
    const site = await testSite({ "/away": answer(503, {}) });
    mapped(site, "a");
    for (const path of ["/sitemap.xml", "/away"]) {
      const stop = new AbortController();
      const time = new LongTime(() => stop.abort(ENOUGH));
      const options = { machine: { time, resolver: testResolver() }, signal: stop.signal };
      await expect(importSources(bot, [`${site.origin}${path}`], options)).rejects.toBe(ENOUGH);
    }
    expect(site.asked.filter((path) => path !== "/robots.txt")).toEqual(["/sitemap.xml", "/away"]);
  });

  it("and of many imports that run at the same time, with no more listeners than there are for one", async () => {
    const stop = new AbortController();
    const listeners: number[] = [];
    const running = [];
    for (let at = 0; at < 6; at += 1) {
      const site = await testSite({
        "/a": () => {
          listeners.push(getEventListeners(stop.signal, "abort").length);
          if (listeners.length === 6) stop.abort(ENOUGH);
        },
      });
      const machine = { time: new TestTime(), resolver: testResolver() };
      running.push(importSources(await ownBot(), [`${site.origin}/a`], { machine, signal: stop.signal }));
    }
    const ends = await Promise.allSettled(running);
    expect(ends).toEqual(ends.map(() => ({ status: "rejected", reason: ENOUGH })));
    expect(Math.max(...listeners)).toBeLessThanOrEqual(1);
  });

  it("while the name of a host is looked up", async () => {
    const stop = new AbortController();
    const resolver = {
      ...testResolver(),
      resolve: (): Promise<readonly string[]> => {
        stop.abort(ENOUGH);
        return new Promise(() => undefined);
      },
    };
    const options = { machine: { resolver }, signal: stop.signal };
    await expect(importSources(await ownBot(), ["http://site.test/"], options)).rejects.toBe(ENOUGH);
  });

  it("while the standard input gives nothing", async () => {
    const stop = new AbortController();
    async function* stdin(): AsyncGenerator<Uint8Array> {
      stop.abort(ENOUGH);
      await new Promise(() => undefined);
    }
    const options = { source: "s", stdin: stdin(), signal: stop.signal };
    await expect(importSources(await ownBot(), ["-"], options)).rejects.toBe(ENOUGH);
  });

  it.skipIf(process.platform !== "linux")("while a file is converted, and no process stays behind", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "long.html": `<table>${"<tr><td>a<td>b".repeat(200_000)}</table>` });
    const before = await children();
    const stop = new AbortController();
    const stopped = importSources(await ownBot(), [directory], { signal: stop.signal });
    await expect.poll(async () => (await children()).length).toBeGreaterThan(before.length);
    stop.abort(ENOUGH);
    await expect(stopped).rejects.toBe(ENOUGH);
    expect(await children()).toEqual(before);
  });

  it("between two documents, when what is on its way is in", async () => {
    const bot = await ownBot();
    const directory = await temporaryDirectory();
    const lines = Array.from({ length: 200 }, (_, at) => documentLine(`d${at}`));
    await writeFiles(directory, { "all.jsonl": lines.join("\n") });
    const stop = new AbortController();
    let told = 0;
    const options: ImportSourcesOptions = {
      signal: stop.signal,
      onProgress: (done) => {
        told = done;
        stop.abort(ENOUGH);
      },
    };
    await expect(importSources(bot, [join(directory, "all.jsonl")], options)).rejects.toBe(ENOUGH);
    const { length } = await bot.listDocuments();
    expect(length).toBe(told);
    expect(length).toBeLessThan(200);
  });

  it("before the next document is removed", async () => {
    const bot = await ownBot();
    const directory = await temporaryDirectory();
    await writeFiles(directory, Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`docs/${at}.md`, `# ${at}`])));
    await importSources(bot, [join(directory, "docs")]);
    for (const at of [1, 2, 3, 4]) await rm(join(directory, `docs/${at}.md`));
    const stop = new AbortController();
    const target: ImportTarget = {
      listSources: () => bot.listSources(),
      ownedDocuments: (sources) => bot.ownedDocuments(sources),
      putSourceArgument: (...given) => bot.putSourceArgument(...given),
      importDocument: (...given) => bot.importDocument(...given),
      removeDocument: (...given) => {
        stop.abort(ENOUGH);
        return bot.removeDocument(...given);
      },
    };
    const options = { sync: true, signal: stop.signal };
    await expect(importSources(target, [join(directory, "docs")], options)).rejects.toBe(ENOUGH);
    expect(await bot.listDocuments()).toHaveLength(8);
  });

  it("before it has begun", async () => {
    await expect(importSources(await ownBot(), ["nothing"], { signal: AbortSignal.abort(ENOUGH) })).rejects.toBe(
      ENOUGH,
    );
  });
});

/** Numbers of the processes that this one has started. */
async function children(): Promise<string[]> {
  const tasks = await readdir("/proc/self/task");
  const all = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/children`, "utf8").catch(() => "")),
  );
  return all
    .flatMap((line) => line.split(" "))
    .filter((pid) => pid.trim() !== "")
    .sort();
}
