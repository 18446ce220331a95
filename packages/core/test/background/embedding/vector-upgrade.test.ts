import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { VectorUpgrade } from "../../../src/background/embedding/vector-upgrade.ts";
import { EmbedderError } from "../../../src/embedding/embedder-error.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../../src/index/embedded-texts.ts";
import { TokenCodeDirectory } from "../../../src/index/token-codes/code-directory.ts";
import type { StoredVectors } from "../../../src/log/vector-table.ts";
import { FakeEmbedder } from "../../support/fake-embedder.ts";

it("gives others their turn while it looks at documents that lack nothing", async () => {
  let looked = 0;
  const upgrade = new VectorUpgrade({
    embedder: async () => new FakeEmbedder(),
    newest: () => {
      looked += 1;
      return undefined;
    },
    tokenCodes: undefined,
    append: async () => expect.fail("There is nothing to write."),
    sleep: async () => undefined,
    onUnfinished: () => undefined,
    // A look takes a millisecond.
    clock: { wallMs: () => 0, monotonicMs: () => looked },
    logger: (event) => expect.fail(event.message),
    botId: "bot",
    background: false,
  });
  for (let i = 0; i < 1_000; i++) upgrade.add(`document ${i}`);
  const over = upgrade.whenIdle();
  let most = 0;
  while (looked < 1_000) {
    const before = looked;
    await setImmediate();
    most = Math.max(most, looked - before);
  }
  await over;
  expect(most).toBeLessThanOrEqual(20);
  expect(upgrade.documents.vectorsMissing).toBe(0);
});

/** An upgrade of documents of two texts each, with token codes that are told apart by a directory, and a log that can be made to refuse. */
function upgradeOf(fake: FakeEmbedder, versions: Map<string, number>) {
  const directory = new TokenCodeDirectory();
  const vectors = new Map<string, StoredVectors>();
  const faults = { append: async (): Promise<void> => undefined };
  const events: string[] = [];
  const upgrade = new VectorUpgrade({
    embedder: async () => fake,
    newest: (id) => ({
      version: versions.get(id) ?? 1,
      document: {
        id,
        type: "DOCUMENT",
        status: "active",
        metaData: {},
        content: [{ md: `A car ${id}.` }],
        titles: ["Title"],
      },
      windows: 2,
      vectors: vectors.get(id),
    }),
    tokenCodes: {
      isOpen: true,
      gap: (id, version, windows) => directory.gap(id, version, windows),
      keep: async (made) => {
        for (const { id, version, first, tokenCodes } of made)
          directory.add({ id, version, first, partBytes: tokenCodes.map(({ length }) => length) });
        return [];
      },
    },
    append: async (record, codes) => {
      await faults.append();
      const { version, space } = record;
      vectors.set(record.id, { version, space, codes: Int8Array.from(codes), texts: EMBEDDED_TEXTS_VERSION });
    },
    sleep: async () => undefined,
    onUnfinished: () => undefined,
    clock: { wallMs: () => 0, monotonicMs: () => 0 },
    logger: ({ event }) => void events.push(event),
    botId: "bot",
    background: false,
  });
  return { upgrade, directory, faults, events };
}

/** Fails the first time it is called. */
function once(error: Error, then?: () => void): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) return;
    isFirst = false;
    then?.();
    throw error;
  };
}

it("has each text encoded once, also where the log refuses the first vectors", async () => {
  for (const tokens of [undefined, "1"]) {
    const fake = new FakeEmbedder(tokens === undefined ? {} : { tokens });
    const ids = ["a", "b", "c"];
    const { upgrade, directory, faults } = upgradeOf(fake, new Map());
    faults.append = once(new Error("The disk is slow."));
    for (const id of ids) upgrade.add(id);
    await upgrade.whenIdle();
    expect(fake.passages).toHaveLength(2 * ids.length);
    expect(ids.map((id) => directory.gap(id, 1, 2))).toEqual(
      ids.map(() => (tokens === undefined ? { from: 0, to: 2 } : undefined)),
    );
  }
});

it("keeps no token codes of a version that has changed since the log refused its vectors", async () => {
  const versions = new Map([["a", 1]]);
  const { upgrade, directory, faults } = upgradeOf(new FakeEmbedder({ tokens: "1" }), versions);
  faults.append = once(new Error("The disk is slow."), () => versions.set("a", 2));
  upgrade.add("a");
  upgrade.add("b");
  await upgrade.whenIdle();
  expect(directory.of("a").map(({ version }) => version)).toEqual([2]);
  expect(directory.of("b").map(({ version }) => version)).toEqual([1]);
});

it("does without token codes of texts that the embedder refuses, and comes to its end", async () => {
  let isRefused = false;
  const fake = new FakeEmbedder({
    tokens: "1",
    onPassages: (texts) => {
      if (isRefused && texts.some((text) => text.includes("car b")))
        throw new EmbedderError("EMBEDDER_FAILED", "Not these texts.");
    },
  });
  const { upgrade, directory, events } = upgradeOf(fake, new Map());
  for (const id of ["a", "b", "c"]) upgrade.add(id);
  await upgrade.whenIdle();
  for (const block of [...directory.all()]) directory.delete(block);
  isRefused = true;
  for (const id of ["a", "b", "c"]) upgrade.add(id, "lacksTokenCodes");
  await upgrade.whenIdle();
  expect(["a", "b", "c"].map((id) => directory.gap(id, 1, 2))).toEqual([undefined, { from: 0, to: 2 }, undefined]);
  expect([
    upgrade.documents.tokenCodesMissing,
    upgrade.documents.tokenCodesGivenUp,
    upgrade.documents.vectorsGivenUp,
  ]).toEqual([0, 1, 0]);
  expect(events).toContain("tokenCodesGivenUp");
  // Before it has changed, there is no use in trying again.
  upgrade.add("b", "lacksTokenCodes");
  expect(upgrade.documents.tokenCodesMissing).toBe(0);
  isRefused = false;
  upgrade.add("b");
  await upgrade.whenIdle();
  expect(directory.gap("b", 1, 2)).toBeUndefined();
  expect(upgrade.documents.tokenCodesGivenUp).toBe(0);
});

it("picks a document that is added in the very step in which no other waits", async () => {
  for (let steps = 0; steps < 40; steps++) {
    const looked: string[] = [];
    const upgrade = new VectorUpgrade({
      embedder: async () => new FakeEmbedder(),
      newest: (id) => {
        looked.push(id);
        return undefined;
      },
      tokenCodes: undefined,
      append: async () => expect.fail("There is nothing to write."),
      sleep: async () => undefined,
      onUnfinished: () => undefined,
      clock: { wallMs: () => 0, monotonicMs: () => 0 },
      logger: (event) => expect.fail(event.message),
      botId: "bot",
      background: true,
    });
    upgrade.add("first");
    upgrade.remove("first");
    for (let step = 0; step < steps; step++) await Promise.resolve();
    upgrade.add("second");
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(looked, `after ${steps} steps`).toEqual(["second"]);
    await upgrade.close();
  }
});
