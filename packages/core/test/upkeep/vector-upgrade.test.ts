import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
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
