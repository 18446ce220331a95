import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

function engineOf(): Promise<Engine> {
  const open = async (): Promise<FakeEmbedder> => new FakeEmbedder({ weight: 0.5, dimensions: 16 });
  return Engine.open({
    embedders: { small: { languages: ["en"], open }, large: { languages: ["*"], open }, own: { languages: [], open } },
  });
}

it("an embedder follows the language where it is the one of the language before", async () => {
  const engine = await engineOf();
  await engine.createBot({ name: "shop" });
  const embedderAfter = async (changes: Parameters<Engine["updateBot"]>[1]): Promise<string> =>
    (await engine.updateBot("shop", changes)).embedder;
  expect(await embedderAfter({ name: "shop" })).toBe("small");
  expect(await embedderAfter({ language: "de" })).toBe("large");
  expect(await embedderAfter({ language: "fr" })).toBe("large");
  expect(await embedderAfter({ language: "en-GB" })).toBe("small");
  // Said with the language, or chosen for this bot.
  expect(await embedderAfter({ language: "de", embedder: "small" })).toBe("small");
  expect(await embedderAfter({ language: "fr" })).toBe("small");
  expect(await embedderAfter({ embedder: "own", language: "de" })).toBe("own");
  expect(await embedderAfter({ language: "en" })).toBe("own");
  await engine.close();
});
