import { expect, it, onTestFinished } from "vitest";
import { applyCatalog } from "../../src/catalog/catalog-records.ts";
import { emptyCatalog } from "../../src/catalog/catalog-state.ts";
import { Engine } from "../../src/index.ts";
import type { StoredSettings } from "../../src/model/records.ts";
import { encodeBackup } from "../../src/operations/backup-file.ts";

const STORED: StoredSettings = {
  name: "bot",
  quotaCharacters: 1_000,
  rateCharactersPerMinute: 1_000,
  language: "en",
  embedder: "student",
  quality: "best",
};

it("settings that were stored with old names are read as those of today", () => {
  const state = emptyCatalog();
  const id = "a".repeat(24);
  applyCatalog(state, { kind: "botCreate", id, settings: STORED, createdAtMs: 0 }, 1);
  expect(state.bots.get(id)?.settings.embedder).toBe("static");
  applyCatalog(state, { kind: "botSet", id, settings: { ...STORED, quotaCharacters: 5 } }, 2);
  expect(state.bots.get(id)?.settings).toMatchObject({ embedder: "static", quotaCharacters: 5 });
});

it("a backup that names the embedder as before is restored", async () => {
  const entry = { id: "b".repeat(24), settings: STORED, createdAtMs: 0 };
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const { bot } = await engine.restore(encodeBackup({ entry, takenAtMs: 0 }, { sequence: 0, sections: [] }));
  expect(bot.embedder).toBe("static");
});

it.each([
  [{ thirdLook: false }, 'unknown option "thirdLook"; did you mean "rerank"?'],
  [{ tokenMemoryBytes: 0 }, 'unknown option "tokenMemoryBytes"; did you mean "rerankMemoryBytes"?'],
  [{ embedders: { student: { languages: ["en"], static: async () => undefined } } }, "student is called static now"],
  [{ graphs: "codes" }, 'unknown option "graphs"; did you mean "graph"?'],
])("an option by its old name is refused with the new one: %j", async (options, told) => {
  await expect(Engine.open(options as never)).rejects.toThrow(told);
});

it("an embedder by its old name is refused with the new one", async () => {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  await expect(engine.createBot({ name: "bot", embedder: "student" })).rejects.toThrow("student is called static now");
});
