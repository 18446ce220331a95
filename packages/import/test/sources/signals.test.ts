import { getEventListeners } from "node:events";
import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { importSources, syncSources, watchSources } from "../../src/index.ts";

it("names a signal that is none, before anything is read", async () => {
  const engine = await Engine.open();
  const bot = await engine.bot((await engine.createBot({ name: "bot" })).bot.id);
  for (const wrong of ["x", 1, null, {}]) {
    // Boundary: programs without types give anything.
    const options = { signal: wrong as unknown as AbortSignal };
    const calls = [importSources(bot, ["nowhere"], options), syncSources(bot, options), watchSources(bot, options)];
    for (const each of await Promise.allSettled(calls)) {
      expect(each).toMatchObject({
        status: "rejected",
        reason: { name: "ValidationError", violations: [{ field: "signal", type: "signal" }] },
      });
    }
  }
  await engine.close();
});

it("leaves no listener on a signal that many imports share", async () => {
  const engine = await Engine.open();
  const bot = await engine.bot((await engine.createBot({ name: "bot" })).bot.id);
  const { signal } = new AbortController();
  const imports = Array.from({ length: 12 }, (_, i) =>
    importSources(bot, [], { source: `source ${i}`, signal }).catch(() => undefined),
  );
  expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
  await Promise.all(imports);
  expect(getEventListeners(signal, "abort").length).toBe(0);
  await engine.close();
});
