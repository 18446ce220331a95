import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../../src/analysis/languages.ts";
import { SearchIndex } from "../../../src/index/search-index.ts";
import { sectionsOf } from "../../../src/index/snapshot/index-sections.ts";
import { indexFromSections } from "../../../src/index/snapshot/load-index.ts";
import { INDEX_VERSION } from "../../../src/index/snapshot/stored-index.ts";
import { INDEX_SECTION } from "../../../src/model/derived-sections.ts";
import type { SearchableDocument } from "../../../src/model/types.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../../src/search/request.ts";
import { answer } from "../../support/answer.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

function page(id: string, md: string): SearchableDocument {
  return { id, type: "WEBPAGE", status: "active", metaData: { title: id }, titles: [id], content: [{ md }] };
}

const DOCUMENTS = new Map(
  [page("pears", "# Pears\n\nA pear is green.\n\nIt grows."), page("plums", "A plum."), page("none", "")].map(
    (document) => [document.id, document] as const,
  ),
);

async function section(): Promise<Buffer> {
  const index = new SearchIndex(analyzer);
  for (const document of DOCUMENTS.values()) index.replace(document, 1);
  const fragments: Uint8Array[] = [];
  for (const { chunks } of sectionsOf(index)) for await (const chunk of chunks) fragments.push(chunk);
  return Buffer.concat(fragments);
}

function loaded(bytes: Uint8Array): SearchIndex {
  const sections = new Map([[INDEX_SECTION, { name: INDEX_SECTION, version: INDEX_VERSION, bytes }]]);
  return finished(indexFromSections(analyzer, sections, (id) => DOCUMENTS.get(id)));
}

/** Loads these bytes and asks, changes and saves what came of it; says whether they were taken. */
function isTaken(bytes: Uint8Array): boolean {
  let index: SearchIndex;
  try {
    index = loaded(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return false;
  }
  const ask = (query: string) => answer(index, parseSearchRequest({ query }), analyzeQuery(query, analyzer));
  for (const query of ["green pears", "plum", "a pear is green"]) ask(query);
  index.replace(page("pears", "Blue."), 2);
  index.remove("plums");
  index.lexical.export();
  ask("blue");
  return true;
}

/** What stands in place of a number. */
const NUMBERS = [0, 1, 0x7fffffff, 0xffffffff];
/** A prime, so that all cases come before one comes again. */
const SLICE = 7_919;

it("a stored index with any number changed is taken and can be used, or refused", async () => {
  const whole = await section();
  expect(isTaken(whole)).toBe(true);
  const cases = Array.from({ length: whole.length }, (_, at) => NUMBERS.map((value) => ({ at, value }))).flat();
  const runs = lawRuns(cases.length);
  let refused = 0;
  for (let run = 0; run < runs; run += 1) {
    // The first number here, the next one there, so that a part of the cases has some of each.
    const { at, value } = cases[(run * SLICE) % cases.length] ?? expect.fail("there is no such case");
    const changed = Buffer.from(whole);
    for (let i = 0; i < 4 && at + i < whole.length; i += 1) changed.writeUInt8((value >>> (8 * i)) & 255, at + i);
    if (!isTaken(changed)) refused += 1;
  }
  expect(refused).toBeGreaterThan(runs / 4);
});

it.each([
  ["passages", /"passages":\d+/],
  ["postings", /"postings":\d+/],
  ["vocabularyBytes", /"vocabularyBytes":\d+/],
  ["documents", /"documents":\[.*\]/s],
  ["analyzer", /"analyzer":"[^"]*"/],
  ["version", /(?<=\["pears",)\d+/],
  ["document", /\["pears"[^\]]*\]/],
])("a stored index whose %s cannot be is refused", async (name, pattern) => {
  const whole = await section();
  const end = 4 + whole.readUInt32LE(0);
  const json = whole.toString("utf8", 4, end);
  for (const value of ["-1", "0.5", "1e15", "1e300", "null", '"7"', "[]", "{}", "[[]]", "[1e9,1]"]) {
    const isField = json.includes(`"${name}":`);
    const changed = json.replace(pattern, isField ? `"${name}":${value}` : value);
    expect(changed).not.toBe(json);
    const header = Buffer.from(changed);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(header.length);
    const bytes = Buffer.concat([length, header, whole.subarray(end)]);
    // A version or a name that could be is only one that is not known.
    const isPossible = (name === "version" && value === "1e15") || (name === "analyzer" && value === '"7"');
    expect(isTaken(bytes), value).toBe(isPossible);
  }
  expect(isTaken(whole.subarray(0, -1))).toBe(false);
  expect(isTaken(Buffer.concat([whole, Buffer.alloc(4)]))).toBe(false);
});

it("a stored index whose header is one line, as it was written before, is taken", async () => {
  const whole = await section();
  const end = 4 + whole.readUInt32LE(0);
  const json = whole.toString("utf8", 4, end);
  expect(json).toContain("\n");
  const header = Buffer.from(json.replaceAll("\n", ""));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const bytes = Buffer.concat([length, header, whole.subarray(end)]);
  expect(isTaken(bytes)).toBe(true);
  expect(loaded(bytes).versionOf("pears")).toBe(1);
  expect(loaded(bytes).lexical.export()).toEqual(loaded(whole).lexical.export());
});

it("a stored index that names a document or a term twice is refused", async () => {
  const whole = await section();
  const twice = (from: string, to: string) => Buffer.from(whole.toString("latin1").replace(from, to), "latin1");
  expect(isTaken(twice('["plums"', '["pears"'))).toBe(false);
  const vocabulary = whole.toString("latin1").match(/pear\ngreen|plum/g);
  expect(vocabulary).not.toBeNull();
  expect(isTaken(twice("\nplum", "\npear"))).toBe(false);
});

it("a stored index has all terms counted when it is loaded, without those of documents that are gone", async () => {
  const bytes = await section();
  const sections = new Map([[INDEX_SECTION, { name: INDEX_SECTION, version: INDEX_VERSION, bytes }]]);
  const index = finished(
    indexFromSections(analyzer, sections, (id) => (id === "plums" ? undefined : DOCUMENTS.get(id))),
  );
  const fresh = new SearchIndex(analyzer);
  for (const id of ["pears", "none"]) fresh.replace(DOCUMENTS.get(id) ?? expect.fail(), 1);
  expect(index.lexical.termCount).toBe(fresh.lexical.termCount);
});
