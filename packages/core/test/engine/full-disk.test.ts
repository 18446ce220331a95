import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { openFileStorage } from "../../src/storage/file-storage.ts";
import { RESERVE_BYTES } from "../../src/storage/reserve.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { simulatedDisk } from "../storage/kit.ts";
import { CAR } from "../support/embedded-bot.ts";
import { seededRandom } from "../support/test-clock.ts";

const FULL = { code: "DISK_FULL" };
const PLACE = { name: "a", kind: "folder", path: "/srv/a", ids: "/srv/a" } as const;
const document = (resourceDocId: string) => ({ resourceDocId, type: "PDF", content: [{ md: "text" }] });

/** Writes until not even a short record has room. */
async function fill(bot: Bot): Promise<void> {
  for (const body of ["x".repeat(20_000), "x".repeat(200)]) {
    for (let error: unknown; error === undefined; ) {
      error = await bot.createArticle({ title: "Filling", body }).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      if (error !== undefined) expect(error).toMatchObject(FULL);
    }
  }
  for (let n = 0; ; n += 1) {
    const error = await bot.putAgent(`filling ${n}`, true).catch((refused: unknown) => refused);
    if (error !== undefined) return expect(error).toMatchObject(FULL);
  }
}

it("takes everything away on a full disk that can be taken away, and adds nothing", async () => {
  const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 8 * RESERVE_BYTES }));
  const storage = await openFileStorage({ ...disk, random: seededRandom(7), reserveLogger: () => undefined });
  const engine = await Engine.open({ storage, embedders: {}, background: false });
  await engine.createBot({ name: "one", quotaCharacters: 10_000_000, rateCharactersPerMinute: 10_000_000 });
  await engine.createBot({ name: "other" });
  await engine.addKey("one", "named");
  const bot = await engine.bot("one");
  const { article } = await bot.createArticle(CAR);
  await bot.putAgent("ann", true);
  await bot.putChannel("web", true);
  await bot.putSourceArgument("kb", PLACE);
  await bot.putSourceArgument("site", { ...PLACE, name: "b" });
  for (const id of ["kept", "gone"])
    await bot.importDocument(document(id), { source: { source: "kb", argument: "a" } });
  await fill(bot);
  await bot.deleteArticle(article.id);
  await bot.removeAgent("ann");
  await bot.removeChannel("web");
  await bot.setDocumentStatus("kept", "inactive");
  await bot.removeDocument("gone");
  await bot.moveSource("kb", "kb2", PLACE);
  await bot.removeSource("site");
  await engine.updateBot("one", { quality: "fast" });
  await engine.revokeKey("one", "named");
  await engine.revokeKey("one");
  const moved = { source: "kb2", argument: "a", path: "/srv/a/new.md" };
  const more = [
    () => bot.putAgent("bob", true),
    () => bot.putChannel("app", true),
    () => bot.putSourceArgument("kb3", PLACE),
    () => bot.importDocument(document("new")),
    () => bot.importDocument(document("new"), { source: moved }),
    () => bot.importDocument({ ...document("kept"), status: "inactive" }, { source: moved }),
  ];
  for (const write of more) await expect(write(), String(write)).rejects.toMatchObject(FULL);
  await expect(bot.createArticle(CAR)).rejects.toMatchObject(FULL);
  await expect(engine.createBot({ name: "new" })).rejects.toMatchObject(FULL);
  await engine.removeBot("other");
  expect(engine.listBots().map(({ name }) => name)).toEqual(["one"]);
  await engine.close();
});

it("keeps a reserve in the data directory", async () => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-reserve-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const engine = await Engine.open({ directory, embedders: {} });
  expect((await stat(join(directory, "reserve"))).size).toBe(RESERVE_BYTES);
  await engine.close();
});
