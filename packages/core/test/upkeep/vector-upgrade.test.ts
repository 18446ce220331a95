import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { EMBEDDED_TEXTS_VERSION } from "../../src/query/embedded-texts.ts";
import type { StoredVectors } from "../../src/state/state.ts";
import { SignDirectory } from "../../src/tokens/sign-directory.ts";
import { VectorUpgrade } from "../../src/upkeep/vector-upgrade.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

it("gives others their turn while it looks at documents that lack nothing", async () => {
  let looked = 0;
  const upgrade = new VectorUpgrade({
    embedder: async () => new FakeEmbedder(),
    newest: () => {
      looked += 1;
      return undefined;
    },
    signs: undefined,
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
  expect(upgrade.length).toBe(0);
});

it("has each text encoded once, also where the log refuses the first vectors", async () => {
  for (const tokens of [undefined, "1"]) {
    const fake = new FakeEmbedder(tokens === undefined ? {} : { tokens });
    const directory = new SignDirectory();
    const vectors = new Map<string, StoredVectors>();
    const ids = ["a", "b", "c"];
    let refusals = 1;
    const upgrade = new VectorUpgrade({
      embedder: async () => fake,
      newest: (id) => ({
        version: 1,
        document: {
          id,
          type: "DOCUMENT",
          status: "active",
          metaData: {},
          content: [{ md: `A car ${id}.` }],
          titles: ["Title"],
        },
        parts: 2,
        vectors: vectors.get(id),
      }),
      signs: {
        isOpen: true,
        gap: (id, version, parts) => directory.gap(id, version, parts),
        keep: async (made) => {
          for (const { id, version, first, signs } of made)
            directory.add({ id, version, first, partBytes: signs.map(({ length }) => length) });
          return [];
        },
      },
      append: async (record, codes) => {
        if (refusals-- > 0) throw new Error("The disk is slow.");
        vectors.set(record.id, {
          version: record.version,
          space: record.space,
          codes: Int8Array.from(codes),
          texts: EMBEDDED_TEXTS_VERSION,
        });
      },
      sleep: async () => undefined,
      onUnfinished: () => undefined,
      clock: { wallMs: () => 0, monotonicMs: () => 0 },
      logger: () => undefined,
      botId: "bot",
      background: false,
    });
    for (const id of ids) upgrade.add(id);
    await upgrade.whenIdle();
    expect(fake.passages).toHaveLength(2 * ids.length);
    expect(ids.map((id) => directory.gap(id, 1, 2))).toEqual(
      ids.map(() => (tokens === undefined ? { from: 0, to: 2 } : undefined)),
    );
  }
});
