import { describe, expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const opens = (): Promise<undefined> => Promise.resolve(undefined);

/** What programs in JavaScript pass where the types ask for something else. */
const NO_BOOLEANS: readonly unknown[] = ["false", "true", 0, 1, null, undefined, {}, []];

it("no message is as long as a name that a caller made up", async () => {
  const engine = await Engine.open({ embedders: {} });
  await engine.createBot({ name: "bot" });
  const long = "x".repeat(2_000_000);
  const error: unknown = await (await engine.bot("bot")).removeDocument(long).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
  expect(String(error).length).toBeLessThan(9_000);
  await engine.close();
});

describe("values of a wrong type", () => {
  it.each(["agents", "channels"] as const)("are not kept as the state of %s", async (which) => {
    const engine = await Engine.open();
    await engine.createBot({ name: "shop" });
    const bot = await engine.bot("shop");
    const put = (name: unknown, active: unknown): Promise<void> =>
      Reflect.apply(which === "agents" ? bot.putAgent : bot.putChannel, bot, [name, active]);
    for (const active of NO_BOOLEANS) {
      await expect(put("Ada", active)).rejects.toMatchObject({
        code: "VALIDATION",
        violations: [{ field: "active", message: expect.stringContaining("active must be true or false, not") }],
      });
    }
    for (const name of [5, null, undefined, {}, ""]) {
      await expect(put(name, true)).rejects.toMatchObject({ violations: [{ field: "name" }] });
    }
    expect(await (which === "agents" ? bot.listAgents() : bot.listChannels())).toEqual([]);
    await engine.close();
  });

  it("close the storage that came with them where they are options of an engine", async () => {
    const disk = simulatedDisk();
    for (const wrong of [{ directry: "x" }, { openBotsMax: 0 }]) {
      const storage = await openOn(disk);
      const options: object = { storage, ...wrong };
      await expect(Engine.open(options)).rejects.toMatchObject({ code: "VALIDATION" });
    }
    await (await Engine.open({ storage: await openOn(disk), embedders: {} })).close();
  });

  it("an empty directory is refused, which would be the current one", async () => {
    await expect(Engine.open({ directory: "" })).rejects.toMatchObject({
      code: "VALIDATION",
      violations: [{ field: "directory", type: "string" }],
    });
  });

  it.each([
    [{ languages: "en", open: opens }, "embedders.own.languages"],
    [{ languages: [5], open: opens }, "embedders.own.languages.0"],
    [{ languages: ["en"] }, "embedders.own.open"],
    [{ languages: ["en"], open: "model" }, "embedders.own.open"],
    [{ languages: ["en"], open: opens, check: true }, "embedders.own.check"],
    [{ languages: ["en"], static: 5 }, "embedders.own.static"],
  ])("of an embedder's offer are named: %j", async (own, field) => {
    const options: object = { embedders: { own } };
    await expect(Engine.open(options)).rejects.toMatchObject({ code: "VALIDATION", violations: [{ field }] });
  });
});
