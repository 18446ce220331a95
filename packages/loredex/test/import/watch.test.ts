import { mkdir, rename, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { importSources, type SyncedSource, type WatchSourcesOptions, watchSources } from "@loredex/import";
import { expect, it, onTestFinished } from "vitest";
import { importTarget } from "../../src/operator/import-target.ts";
import { openForImport } from "../support/import-kit.ts";

/** A watch that looks when it is told to. */
function watching(
  bot: Parameters<typeof watchSources>[0],
  given: Pick<WatchSourcesOptions, "addressMs" | "onTrouble" | "justBrought" | "machine"> = {},
) {
  const stop = new AbortController();
  const synced: SyncedSource[] = [];
  let running = 0;
  /** What never comes to its end is not waited for. */
  let stuck = 0;
  const idle = async (): Promise<void> => {
    while (running > stuck) await new Promise((resolve) => setImmediate(resolve));
  };
  let nowMs = 0;
  let look: () => void = () => undefined;
  let looked: () => void = () => undefined;
  let isLooking = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const ended = watchSources(bot, {
    ...given,
    signal: stop.signal,
    onSource: () => {
      running += 1;
    },
    ...(given.onTrouble === undefined
      ? {}
      : {
          onTrouble: (error) => {
            running = Math.max(0, running - 1);
            given.onTrouble?.(error);
          },
        }),
    onSynced: (one) => {
      running -= 1;
      synced.push(one);
    },
    nowMs: () => nowMs,
    pause: () =>
      new Promise<void>((resolve) => {
        look = resolve;
        looked();
      }),
  });
  const end = async (): Promise<void> => {
    stop.abort();
    look();
    await ended;
  };
  const roundEnded = async (): Promise<void> => {
    await isLooking;
    await idle();
  };
  onTestFinished(end);
  return {
    synced,
    end,
    /** So many sources do not come to their end. */
    stick: (count: number): void => {
      stuck = count;
    },
    /** Resolves when the look that runs has ended, with what it brought. */
    first: roundEnded,
    /** Another look, after some time. */
    look: async (afterMs = 2_000): Promise<void> => {
      nowMs += afterMs;
      isLooking = new Promise<void>((resolve) => {
        looked = resolve;
      });
      look();
      await roundEnded();
    },
  };
}

it("brings what has changed once it stays as it is", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A", "docs/b.md": "B" });
  await kit.import(["docs"]);
  const watch = watching(kit.bot);
  await watch.first();
  expect(watch.synced).toMatchObject([{ report: { unchanged: 2 } }]);
  await watch.look();
  expect(watch.synced).toHaveLength(1);
  await kit.write({ "docs/a.md": "Half a sen" });
  await watch.look();
  await kit.write({ "docs/a.md": "Half a sentence.", "docs/deep/c.md": "C" });
  await watch.look();
  expect(watch.synced).toHaveLength(1);
  await watch.look();
  expect(watch.synced.slice(1)).toMatchObject([{ report: { added: 1, changed: 1, unchanged: 1 } }]);
  await rm(kit.at("docs/b.md"));
  await rename(kit.at("docs/a.md"), kit.at("docs/z.md"));
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(2)).toMatchObject([{ report: { added: 1, removed: 2 } }]);
  expect(Object.keys(await kit.texts()).sort()).toEqual(["file:docs/deep/c.md", "file:docs/z.md"]);
});

it("removes nothing of a folder that has gone or is empty all of a sudden, and goes on when it is back", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A" });
  await kit.import(["docs"]);
  const watch = watching(kit.bot);
  await watch.first();
  await rename(kit.at("docs"), kit.at("away"));
  await watch.look();
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(1)).toMatchObject([{ report: { removed: 0, failed: 1 } }]);
  await mkdir(kit.at("docs"));
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(2)).toMatchObject([{ report: { removed: 0, failed: 0, notSynced: [kit.at("docs")] } }]);
  await rm(kit.at("docs"), { recursive: true });
  await rename(kit.at("away"), kit.at("docs"));
  await kit.write({ "docs/a.md": "A, changed" });
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(3)).toMatchObject([{ report: { changed: 1 } }]);
  expect(await kit.texts()).toEqual({ "file:docs/a.md": "A, changed" });
});

it("sees sources that come while it watches, and ends when it is told to", async () => {
  const kit = await openForImport();
  const watch = watching(kit.bot);
  await watch.first();
  await kit.write({ "late/a.md": "A" });
  await kit.import(["late"]);
  await watch.look();
  expect(watch.synced).toMatchObject([{ source: kit.at("late"), report: { unchanged: 1 } }]);
  await watch.end();
});

it("tells what keeps it from its work, and goes on", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A" });
  await kit.import(["docs"]);
  const target = importTarget(kit.operator, "bot");
  let isAway = false;
  const way = {
    ...target,
    listSources: async () => {
      if (isAway) throw new Error("The server could not be reached.");
      return target.listSources();
    },
  };
  const troubles: unknown[] = [];
  const watch = watching(way, { onTrouble: (error) => troubles.push(error) });
  await watch.first();
  isAway = true;
  await kit.write({ "docs/b.md": "B" });
  await watch.look();
  expect(troubles).toEqual([new Error("The server could not be reached.")]);
  isAway = false;
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(1)).toMatchObject([{ report: { added: 1 } }]);
});

/** A site of this machine. */
async function siteOf(pages: Readonly<Record<string, (response: ServerResponse) => void>>) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    if (url === "/robots.txt") return void response.writeHead(404).end();
    asked.push(url);
    pages[url]?.(response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { asked, origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

const markdown = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/markdown" }).end("# A page");
};
const never = (): void => undefined;

function addressOf(path: string) {
  return { name: path, kind: "address", path, ids: path } as const;
}

it("fetches what lies at an address again after its time", async () => {
  const kit = await openForImport();
  const site = await siteOf({ "/a": markdown });
  await kit.bot.putSourceArgument("site", addressOf(`${site.origin}/a`));
  const watch = watching(kit.bot, { addressMs: 10_000 });
  await watch.first();
  await watch.look(9_000);
  expect(site.asked).toEqual(["/a"]);
  await watch.look(1_000);
  expect(site.asked).toEqual(["/a", "/a"]);
});

it("does not fetch at once what was just brought, nor what somebody brings while it watches", async () => {
  const kit = await openForImport();
  const site = await siteOf({ "/a": markdown, "/b": markdown });
  await importSources(kit.bot, [`${site.origin}/a`]);
  const watch = watching(kit.bot, { addressMs: 10_000, justBrought: [`${site.origin}/a`] });
  await watch.first();
  await importSources(kit.bot, [`${site.origin}/b`]);
  await watch.look(9_000);
  expect(site.asked).toEqual(["/a", "/b"]);
  await watch.look(1_000);
  expect(site.asked).toEqual(["/a", "/b", "/a"]);
});

it("goes on with folders and other sites while one gives no answer, and ends while it waits for that", async () => {
  const kit = await openForImport();
  const [slow, quick] = [await siteOf({ "/a": never }), await siteOf({ "/a": markdown })];
  await kit.write({ "docs/a.md": "A" });
  await kit.import(["docs"], { source: "all" });
  await kit.bot.putSourceArgument("all", addressOf(`${slow.origin}/a`));
  await kit.bot.putSourceArgument("quick", addressOf(`${quick.origin}/a`));
  const watch = watching(kit.bot, { addressMs: 10_000 });
  watch.stick(1);
  await watch.first();
  await kit.write({ "docs/a.md": "A, changed", "docs/b.md": "B" });
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(2)).toMatchObject([{ source: "all", report: { added: 1, changed: 1 } }]);
  await watch.look(10_000);
  expect([slow.asked, quick.asked]).toEqual([["/a"], ["/a", "/a"]]);
  await watch.end();
});

it("never fetches two sources of one host at the same time", async () => {
  const kit = await openForImport();
  const answers: (() => void)[] = [];
  const late = (response: ServerResponse): void => void answers.push(() => markdown(response));
  const site = await siteOf({ "/a": late, "/b": late });
  for (const path of ["/a", "/b"]) await kit.bot.putSourceArgument(path.slice(1), addressOf(`${site.origin}${path}`));
  const watch = watching(kit.bot);
  watch.stick(1);
  await watch.first();
  await expect.poll(() => site.asked).toEqual(["/a"]);
  await watch.look();
  expect(site.asked).toEqual(["/a"]);
  answers[0]?.();
  await expect.poll(() => site.asked).toEqual(["/a", "/b"]);
  await watch.end();
});

it.each([
  ["nothing that was brought", ["gone"]],
  ["what came by the standard input", ["typed"]],
])("ends where it is to watch %s", async (_, sources) => {
  const kit = await openForImport();
  await kit.bot.putSourceArgument("typed", { name: "stdin", kind: "file", path: "-", ids: "file:typed/stdin" });
  const watched = watchSources(kit.bot, { sources, signal: new AbortController().signal });
  await expect(watched).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
});

it("is not stirred by what an import passes over, and sees what a pattern names", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A", "docs/.hidden/p.md": "P", "docs/notes.log": "1", "docs/node_modules/m.md": "M" });
  await kit.import(["docs", "docs/.hid*/*.md"]);
  const watch = watching(kit.bot);
  await watch.first();
  await kit.write({ "docs/node_modules/m.md": "M, changed", "docs/notes.log": "1 2", "docs/.git/x.md": "X" });
  await watch.look();
  await watch.look();
  expect(watch.synced).toHaveLength(2);
  await kit.write({ "docs/.hidden/p.md": "P, changed" });
  await watch.look();
  await watch.look();
  expect(watch.synced.slice(2)).toMatchObject([{ source: kit.at("docs/.hid*/*.md"), report: { changed: 1 } }]);
});

it("tries again what it could not fetch at first", async () => {
  const kit = await openForImport();
  const site = await siteOf({ "/a": markdown });
  await kit.bot.putSourceArgument("site", addressOf(`${site.origin}/a`));
  const target = importTarget(kit.operator, "bot");
  let isFull = true;
  const way: typeof target = {
    ...target,
    importDocument: async (...given) => {
      if (isFull) throw new Error("no room");
      return target.importDocument(...given);
    },
  };
  const troubles: unknown[] = [];
  const watch = watching(way, { onTrouble: (error) => troubles.push(error) });
  await watch.first();
  expect(troubles).toEqual([new Error("no room")]);
  isFull = false;
  await watch.look(29_000);
  expect(watch.synced).toEqual([]);
  await watch.look(1_000);
  expect(watch.synced).toMatchObject([{ report: { added: 1 } }]);
});

it("without anybody to tell of trouble it ends with that", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A" });
  await kit.import(["docs"]);
  const way = { ...importTarget(kit.operator, "bot"), ownedDocuments: () => Promise.reject(new Error("no disk")) };
  await expect(watchSources(way, { signal: new AbortController().signal })).rejects.toThrow("no disk");
});
