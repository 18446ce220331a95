import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { RECORD_BYTES_MAX } from "../../src/model/limits.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { bareIngest } from "../support/bare-ingest.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { filesOf } from "../support/files-of.ts";

const documentOf = (resourceDocId: string, md: string) => ({ resourceDocId, type: "DOCUMENT", content: [{ md }] });

it.each(["removed", "replaced"] as const)(
  "vectors of a document that was %s and purged while the embedder had it are in no file",
  async (how) => {
    const disk = simulatedDisk();
    const [asked, answer] = [deferred(), deferred()];
    const onPassages = (): Promise<void> => {
      asked.resolve();
      return answer.promise;
    };
    const fake = new FakeEmbedder({ onPassages });
    const embedders = { fake: { languages: ["en"], open: async () => fake } };
    const engine = await Engine.open({ storage: await openOn(disk), embedders });
    await engine.createBot({ name: "bot", embedder: "fake" });
    const bot = await engine.bot("bot");
    await bot.importDocument(documentOf("zyxdocument", "A secret word."));
    await asked.promise;
    if (how === "removed") await bot.removeDocument("zyxdocument");
    else await bot.importDocument(documentOf("zyxdocument", "Another text."));
    await engine.purge("bot");
    answer.resolve();
    await bot.whenUpgraded();
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    await engine.close();
    const codes = Buffer.from(encodeVector(fake.vectorOf("A secret word.")));
    expect(fake.passages).toContain("A secret word.");
    for (const [path, bytes] of await filesOf(disk)) {
      expect(bytes.includes(codes), path).toBe(false);
      if (how === "removed") expect(bytes.includes("zyxdocument"), path).toBe(false);
    }
  },
);

describe("vectors that come while their document", () => {
  async function withDocument() {
    const world = bareIngest({ quotaCharacters: 1_000, rateCharactersPerMinute: 1_000 }, RECORD_BYTES_MAX);
    const { ingest, log } = world;
    const imported = ingest.importDocument(documentOf("a", "A text."), undefined);
    await expect.poll(() => log.waiting).toBe(1);
    log.keep(1);
    await imported;
    const space = { id: "fake", version: "1", dimensions: 2 };
    const record = {
      kind: "vectors",
      id: "a",
      version: 1,
      space,
      texts: 1,
      first: 0,
      count: 1,
      encoding: "int8",
    } as const;
    return { ...world, put: () => ingest.putVectors(record, new Uint8Array(2)) };
  }

  it("is being removed come not behind the removal", async () => {
    const { ingest, log, state, put } = await withDocument();
    const removed = ingest.removeDocument("a");
    await expect.poll(() => log.waiting).toBe(1);
    const written = put();
    await setImmediate();
    expect(log.waiting).toBe(1);
    log.keep(1);
    await Promise.all([removed, written]);
    expect([log.waiting, log.durable.length, state.vectors.size]).toEqual([0, 2, 0]);
  });

  it("stays, since its removal failed, are kept", async () => {
    const { ingest, log, state, put } = await withDocument();
    const removed = ingest.removeDocument("a").catch(() => "failed");
    await expect.poll(() => log.waiting).toBe(1);
    const written = put();
    await setImmediate();
    log.failAll();
    expect(await removed).toBe("failed");
    await expect.poll(() => log.waiting).toBe(1);
    log.keep(1);
    await written;
    expect(state.vectors.size).toBe(1);
  });
});
