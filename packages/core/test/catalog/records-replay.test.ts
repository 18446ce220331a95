import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { CATALOG_RECORD_KINDS } from "../../src/catalog/catalog-records.ts";
import type { CatalogRecord, StoredSettings } from "../../src/model/records.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { openCatalog } from "../support/open-catalog.ts";

type Kind = CatalogRecord["kind"];

const id = fc.constantFrom("a".repeat(24), "b".repeat(24), "c".repeat(24));
const settings: fc.Arbitrary<StoredSettings> = fc.record(
  {
    name: fc.constantFrom("x", "y", "z"),
    quotaCharacters: fc.nat(),
    rateCharactersPerMinute: fc.nat(),
    language: fc.constantFrom("en", "de"),
    embedder: fc.constantFrom("none", "static", "minilm"),
    quality: fc.constantFrom("best", "fast"),
    quotaBytes: fc.nat(),
  },
  { requiredKeys: ["name", "quotaCharacters", "rateCharactersPerMinute", "language", "embedder", "quality"] },
);
const publicId = fc.constantFrom("1", "2", "3").map((digit) => digit.repeat(16));
const sha256 = fc.constantFrom("4", "5").map((digit) => digit.repeat(64));
const key = fc.record({ publicId, sha256 });
const name = fc.constantFrom("site", "app");
const namedKey = fc.record(
  {
    publicId,
    sha256,
    name,
    scope: fc.constantFrom("all", "search"),
    requestsPerMinute: fc.integer({ min: 1, max: 9 }),
    origins: fc.constant(["https://example.com"]),
  },
  { requiredKeys: ["publicId", "sha256", "name", "scope"] },
);
const creation = { id, settings, createdAtMs: fc.nat(), key, unfinished: fc.constant(true) };
const required = ["id", "settings", "createdAtMs"];

/** Records of one kind. Boundary: fast-check knows which of the fields may be absent only by their names. */
function of(kind: Kind, fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys = Object.keys(fields)) {
  const given = fc.record(fields, { requiredKeys, noNullPrototype: true });
  return given.map((record) => ({ kind, ...record }) as unknown as CatalogRecord);
}

const RECORDS: { readonly [Each in Kind]: fc.Arbitrary<CatalogRecord> } = {
  botCreate: of("botCreate", creation, required),
  botCreateWithKeys: of(
    "botCreateWithKeys",
    { ...creation, moreKeys: fc.array(namedKey, { minLength: 1, maxLength: 2 }) },
    [...required, "moreKeys"],
  ),
  botSet: of("botSet", { id, settings }),
  botRemove: of("botRemove", { id }),
  botWork: of("botWork", { id, unfinished: fc.boolean() }),
  keySet: of("keySet", { id, key }, ["id"]),
  namedKeySet: of("namedKeySet", { id, name, key: namedKey }, ["id", "name"]),
};

const kinds = Object.keys(CATALOG_RECORD_KINDS) as Kind[];

/** The bots and the removed ones, live and after a start. A purge before the record at `snapshotAt` leaves a snapshot of the earlier ones. */
async function livedAndReplayed(records: readonly CatalogRecord[], snapshotAt: number | undefined): Promise<unknown[]> {
  const storage = await openOn(simulatedDisk());
  const states: unknown[] = [];
  for (const written of [records, []]) {
    const catalog = await openCatalog(storage);
    for (const [i, record] of written.entries()) {
      if (i === snapshotAt) await catalog.purge();
      await catalog.commit(record);
    }
    states.push({ bots: structuredClone(catalog.all()), removed: catalog.removed });
    await catalog.close();
  }
  await storage.close();
  return states;
}

it.each(kinds)("a record of the kind %s gives the same catalog live and in replay", async (kind) => {
  const before = fc.tuple(
    RECORDS.botCreate,
    fc.array(fc.oneof(...kinds.map((each) => RECORDS[each])), { maxLength: 6 }),
  );
  const snapshot = fc.option(fc.nat({ max: 8 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(before, RECORDS[kind], snapshot, async ([first, others], record, snapshotAt) => {
      const [lived, replayed] = await livedAndReplayed([first, ...others, record], snapshotAt);
      expect(replayed).toEqual(lived);
    }),
    { numRuns: lawRuns(200) },
  );
});
