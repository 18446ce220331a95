import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { onAbort } from "../../src/platform/abort.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("what waits for a signal", () => {
  it("is told once, and all of it has one listener as long as any of it waits", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), fc.nat(60), (changes, forgotten) => {
        const { signal, abort } = withAbort();
        const told: number[] = [];
        const waiting = new Map<number, () => void>();
        let next = 0;
        for (const comes of changes) {
          const [first] = waiting.keys();
          if (comes) {
            const own = next++;
            waiting.set(
              own,
              onAbort(signal, () => told.push(own)),
            );
          } else if (first !== undefined) {
            waiting.get(first)?.();
            waiting.delete(first);
          }
          expect(listeners(signal)).toBe(waiting.size === 0 ? 0 : 1);
        }
        for (const each of [...waiting.keys()].slice(0, forgotten)) {
          waiting.get(each)?.();
          // Again does nothing.
          waiting.get(each)?.();
          waiting.delete(each);
        }
        abort();
        abort();
        expect(told).toEqual([...waiting.keys()]);
        for (const forget of waiting.values()) forget();
        expect(listeners(signal)).toBe(0);
        onAbort(signal, () => told.push(-1));
        expect(told.at(-1)).toBe(-1);
      }),
    );
  });

  it("is told although another callback fails", async () => {
    const { signal, abort } = withAbort();
    let told = 0;
    const failure = new Promise((resolve) => process.once("uncaughtExceptionMonitor", resolve));
    const before = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", () => undefined);
    onAbort(signal, () => {
      throw new Error("failed");
    });
    onAbort(signal, () => told++);
    abort();
    expect(await failure).toMatchObject({ message: "failed" });
    for (const each of before) process.on("uncaughtException", each);
    expect(told).toBe(1);
  });
});

function withAbort(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("given up")) };
}

describe("a signal of searches", () => {
  it("may be shared by any number of them: Node warns of no leak", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const engine = await Engine.open();
    const bot = await engine.bot((await engine.createBot({ name: "bot" })).bot.id);
    await bot.createArticle({ title: "The harbour", body: "Ships lie in the harbour." });
    await bot.whenSearchable();
    const { signal, abort } = withAbort();
    const many = Array.from({ length: 40 }, () => bot.search("harbour", { signal }));
    const most = listeners(signal);
    expect((await Promise.all(many)).every((found) => found.length === 1)).toBe(true);
    expect([most <= 1, listeners(signal)]).toEqual([true, 0]);
    const givenUp = Array.from({ length: 40 }, () => bot.search("harbour", { signal }));
    abort();
    for (const each of await Promise.allSettled(givenUp)) {
      expect(each).toMatchObject({ status: "rejected", reason: { message: "given up" } });
    }
    await engine.close();
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  it("is refused by name where it is none", async () => {
    const engine = await Engine.open();
    const bot = await engine.bot((await engine.createBot({ name: "bot" })).bot.id);
    const article = { title: "The harbour", body: "Ships lie in the harbour." };
    for (const wrong of ["x", 1, null, {}, new AbortController()]) {
      // Boundary: programs without types give anything.
      const options = { signal: wrong as AbortSignal };
      const calls = [
        bot.search("harbour", options),
        bot.explain("harbour", "id", options),
        bot.previewArticle(article, options),
        bot.searchRequest({ query: "harbour" }, "fast", options.signal),
        bot.query("harbour", options),
        bot.queryRequest({ query: "harbour" }, "fast", options.signal),
      ];
      for (const each of await Promise.allSettled(calls)) {
        expect(each).toMatchObject({
          status: "rejected",
          reason: { name: "ValidationError", code: "VALIDATION", violations: [{ field: "signal", type: "signal" }] },
        });
      }
      expect(() => onAbort(options.signal, () => undefined)).toThrow("signal must be an AbortSignal");
    }
    await engine.close();
  });
});
