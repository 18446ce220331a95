import { expect, it } from "vitest";
import { storeName } from "../../src/catalog/store-names.ts";
import { Engine } from "../../src/index.ts";
import { encodeRecord } from "../../src/log/record-codec.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const argument = { name: "docs", kind: "folder", path: "/docs", ids: "file:docs/" };
const document = { resourceDocId: "d", type: "DOCUMENT", metaData: {}, status: "active", content: [{ md: "x" }] };

it.each([
  { kind: "documentBrought", document, contentHash: "h", origin: { source: 7 } },
  { kind: "documentBrought", document, contentHash: "h" },
  { kind: "documentBrought", document, contentHash: "h", origin: { source: "s", path: {} } },
  { kind: "documentPut", document, contentHash: "h", source: 7 },
  { kind: "documentPut", document, contentHash: "h", updatedAtMs: "now" },
  { kind: "documentBrought", document, contentHash: "h", origin: { source: "s" }, updatedAtMs: 1e16 },
  { kind: "documentStatus", id: "d", status: "active", updatedAtMs: null },
  { kind: "documentOrigin", id: "a", origin: { source: "s", argument: 7 } },
  { kind: "documentOrigin", id: "a", origin: null },
  { kind: "sourceArgument", source: "s" },
  { kind: "sourceArgument", source: "s", argument: { ...argument, path: 7 } },
  { kind: "sourceArgument", source: "s", argument, importedAtMs: "now" },
  { kind: "sourceArgument", source: "s", argument, takesOver: 7 },
  { kind: "sourceMove", source: "s", to: 7, argument },
  { kind: "sourceMove", source: "s", to: "t", argument: null },
  { kind: "sourceRemove", source: {} },
])("a record of the log that says %j is damage, not state", (record) => refuses(record, "CORRUPT"));

it.each([
  { kind: "documentPut", document: { ...document, type: "SONG" }, contentHash: "h" },
  { kind: "documentBrought", document: { ...document, type: "SONG" }, contentHash: "h", origin: { source: "s" } },
  { kind: "documentSung" },
])("a record that a newer version wrote, as %j, is refused and not taken for damage", (record) =>
  refuses(record, "UNSUPPORTED_FORMAT"),
);

/** Appends a record to the log of a bot, which then must not open. */
async function refuses(record: unknown, code: string): Promise<void> {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk) });
  const { bot } = await engine.createBot({ name: "bot" });
  await (await engine.bot("bot")).importDocument(document, { source: "s" });
  await engine.close();
  const storage = await openOn(disk);
  const store = await storage.open(storeName(bot.id));
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  // Boundary: what no version of this program writes.
  await store.append(encodeRecord(record as never));
  await store.close();
  await storage.close();
  const again = await Engine.open({ storage: await openOn(disk) });
  const opened = again.bot("bot").then((one) => one.listSources());
  await expect(opened).rejects.toMatchObject({ code });
  await again.close();
}
