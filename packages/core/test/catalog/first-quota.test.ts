import { expect, it } from "vitest";
import { settleQuotaBytes } from "../../src/catalog/first-quota.ts";
import { storeName } from "../../src/catalog/store-names.ts";
import { Engine } from "../../src/engine.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { openCatalog } from "../support/open-catalog.ts";

const SETTINGS = { name: "old", quotaCharacters: 1_000, rateCharactersPerMinute: 1_000, language: "multi" } as const;
const AUTO = 16 * 1_000 + 32 * 1_048_576;

it.each([
  [0, "auto"],
  [AUTO / 2, "auto"],
  [AUTO / 2 + 1, AUTO + 2],
])("a bot of an earlier version that holds %i bytes may hold %s", async (heldBytes, quotaBytes) => {
  const catalog = await openCatalog(new KeptStorage());
  const settings = { ...SETTINGS, embedder: "none", quality: "best" } as const;
  const id = "0".repeat(24);
  await catalog.exclusively(() => catalog.commit({ kind: "botCreate", id, settings, createdAtMs: 0 }));
  await settleQuotaBytes(catalog, () => undefined, { id, heldBytes });
  expect(catalog.find(id)?.settings.quotaBytes).toBe(quotaBytes);
  await settleQuotaBytes(catalog, () => undefined, { id, heldBytes: 10 * AUTO });
  expect(catalog.find(id)?.settings.quotaBytes).toBe(quotaBytes);
  await catalog.close();
});

it("gets its bytes at its first opening", async () => {
  const storage = new KeptStorage();
  const id = "0".repeat(24);
  const before = await openCatalog(storage);
  await storage.create(storeName(id));
  const settings = { ...SETTINGS, embedder: "none", quality: "best" } as const;
  await before.exclusively(() => before.commit({ kind: "botCreate", id, settings, createdAtMs: 0 }));
  await before.close();
  const engine = await Engine.open({ storage, embedders: {}, background: false });
  expect(engine.findBot(id)?.quotaBytes).toBe("auto");
  await engine.bot(id);
  await engine.close();
  const after = await openCatalog(storage);
  expect(after.find(id)?.settings.quotaBytes).toBe("auto");
  await after.close();
});
