import fc from "fast-check";
import stableStringify from "fast-json-stable-stringify";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { contentHash, contentHashInSlices } from "../../src/log/content-hash.ts";
import { encodeRecord, encodeRecordInSlices } from "../../src/log/record-codec.ts";
import type { BotRecord } from "../../src/model/records.ts";
import type { StoredDocument } from "../../src/model/types.ts";
import { jsonPieces, keysInOrder, keysSorted } from "../../src/platform/json-pieces.ts";
import { entryInPieces, newEntry } from "../../src/platform/section-entries.ts";
import { finished } from "../../src/scheduling/time-slices.ts";

const string = fc.string({ unit: "grapheme" });
const json = fc.jsonValue({ stringUnit: "grapheme" });
/** Long enough to be written in several pieces, with a pair of surrogates wherever one may be divided. */
const long = fc.tuple(string, fc.integer({ min: 0, max: 3 }), fc.constantFrom("😀", "a😀", '"\\\n', "é\u0000"));
const longText = long.map(([start, shift, unit]) => `${start}${"x".repeat(shift)}${unit.repeat(70_000)}`);

const document: fc.Arbitrary<StoredDocument> = fc
  .record({
    resourceDocId: string,
    md: fc.oneof({ weight: 8, arbitrary: string }, { weight: 1, arbitrary: longText }),
    metaData: fc.dictionary(string, json),
    url: fc.option(string, { nil: undefined }),
  })
  .map(({ resourceDocId, md, metaData, url }) => ({
    resourceDocId,
    type: "DOCUMENT",
    status: "active",
    metaData: JSON.parse(JSON.stringify(metaData)),
    ...(url === undefined ? {} : { url }),
    content: [{ md }, { md: "" }],
  }));

it("pieces of JSON are what is written at once", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect([...jsonPieces(value, keysInOrder)].join("")).toBe(JSON.stringify(value));
      expect([...jsonPieces(value, keysSorted)].join("")).toBe(stableStringify(value));
    }),
  );
});

it("the hash and the record of a document are the same in steps", () => {
  fc.assert(
    fc.property(document, (drawn) => {
      expect(finished(contentHashInSlices(drawn))).toBe(contentHash(drawn));
      const record: BotRecord = { kind: "documentPut", document: drawn, contentHash: "hash" };
      const inSlices = finished(encodeRecordInSlices(2 ** 30, record)) ?? expect.fail("it was too long");
      expect(Buffer.compare(inSlices, encodeRecord(record))).toBe(0);
    }),
    { numRuns: lawRuns(60) },
  );
});

it("a record that takes too many bytes is none, by the same measure", () => {
  const record: BotRecord = { kind: "agentPut", name: "Ada", active: true };
  const { length } = encodeRecord(record);
  expect(finished(encodeRecordInSlices(length, record))).toEqual(encodeRecord(record));
  expect(finished(encodeRecordInSlices(length - 1, record))).toBeUndefined();
});

it("an entry of a snapshot is the same in pieces", () => {
  fc.assert(
    fc.property(document, (drawn) => {
      const meta = { document: drawn, contentHash: "hash", version: 7 };
      expect(Buffer.compare(Buffer.concat([...entryInPieces(meta)]), newEntry(meta, 0).entry)).toBe(0);
    }),
    { numRuns: lawRuns(60) },
  );
});

it("steps are as many as a document is long", () => {
  const steps = (times: number): number => {
    const md = "some words ".repeat(times);
    const work = contentHashInSlices({
      resourceDocId: "a",
      type: "DOCUMENT",
      status: "active",
      metaData: {},
      content: [{ md }],
    });
    let count = 0;
    while (work.next().done !== true) count++;
    return count;
  };
  expect(steps(200_000)).toBeGreaterThan(steps(50_000) * 2);
});
