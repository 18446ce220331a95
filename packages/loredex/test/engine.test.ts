import { Engine as CoreEngine } from "@loredex/core";
import { Engine } from "loredex";
import { describe, expect, it } from "vitest";

describe("the engine of the package that is installed", () => {
  it("gives a new English bot the encoder that comes with it, and opens it for nobody before that", async () => {
    const engine: Engine = await Engine.open();
    expect(engine).toBeInstanceOf(CoreEngine);
    expect(engine instanceof Engine).toBe(true);
    expect({} instanceof Engine).toBe(false);
    expect((await engine.createBot({ name: "shop" })).bot.embedder).toBe("minilm");
    expect((await engine.createBot({ name: "others", language: "multi" })).bot.embedder).toBe("multilingual");
    await engine.close();
  });

  it("has the embedders that it is given, which may be none", async () => {
    const engine = await Engine.open({ embedders: {} });
    expect((await engine.createBot({ name: "shop" })).bot.embedder).toBe("none");
    await engine.close();
  });
});
