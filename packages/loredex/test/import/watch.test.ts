import { mkdir, rename, rm } from "node:fs/promises";
import { type SyncedSource, type WatchSourcesOptions, watchSources } from "@loredex/import";
import { expect, it, onTestFinished } from "vitest";
import { importTarget } from "../../src/operator/import-target.ts";
import { openForImport } from "../support/import-kit.ts";

/** A watch that looks when it is told to. */
function watching(
  bot: Parameters<typeof watchSources>[0],
  given: Pick<WatchSourcesOptions, "addressMs" | "onTrouble"> = {},
) {
  const stop = new AbortController();
  const synced: SyncedSource[] = [];
  let nowMs = 0;
  let look: () => void = () => undefined;
  let looked: () => void = () => undefined;
  let isLooking = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const ended = watchSources(bot, {
    ...given,
    signal: stop.signal,
    onSynced: (one) => synced.push(one),
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
  onTestFinished(end);
  return {
    synced,
    end,
    /** Resolves when the look that runs has ended. */
    first: () => isLooking,
    /** Another look, after some time. */
    look: async (afterMs = 2_000): Promise<void> => {
      nowMs += afterMs;
      isLooking = new Promise<void>((resolve) => {
        looked = resolve;
      });
      look();
      await isLooking;
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

it("fetches what lies at an address again after its time", async () => {
  const kit = await openForImport();
  const place = { name: "a", kind: "address", path: "http://127.0.0.1:1/", ids: "" } as const;
  await kit.bot.putSourceArgument("site", place);
  const watch = watching(kit.bot, { addressMs: 10_000 });
  await watch.first();
  await watch.look(9_000);
  expect(watch.synced).toHaveLength(1);
  await watch.look(1_000);
  expect(watch.synced).toHaveLength(2);
});
