import fc from "fast-check";
import type { BotRecord, RecordOf } from "../../src/model/records.ts";
import type { DocumentOrigin } from "../../src/model/sources.ts";

/** A record as it is given to the log. */
export interface Written<Kinds extends BotRecord = BotRecord> {
  readonly record: Kinds;
  readonly binary?: Uint8Array;
}

/** The version of a record of vectors that stands for the newest version of its document. */
export const NEWEST = 0;

const TIME_MS = 1_700_000_000_000;
const DIMENSIONS = 2;

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const timeMs = fc.integer({ min: TIME_MS, max: TIME_MS + 100_000 });
const articleId = fc.constantFrom("a", "b", "c");
const documentId = fc.constantFrom("d", "e", "f");
const name = fc.constantFrom("x", "y", "z");
const sourceName = fc.constantFrom("s", "t", "u");
const value = fc.oneof(text, fc.boolean(), fc.integer());
const optional = { noNullPrototype: true } as const;

const article = fc.record(
  {
    id: articleId,
    title: text,
    body: text,
    metadata: fc.dictionary(text, value, { maxKeys: 3, ...optional }),
    source: fc.webUrl(),
    activeOn: fc.array(fc.record({ channel: name, agent: name }, { requiredKeys: ["channel"] }), { maxLength: 2 }),
    createdAtMs: timeMs,
    updatedAtMs: timeMs,
    characterCount: fc.nat({ max: 100 }),
  },
  {
    requiredKeys: ["id", "title", "body", "metadata", "activeOn", "createdAtMs", "updatedAtMs", "characterCount"],
    ...optional,
  },
);

const head = {
  resourceDocId: documentId,
  metaData: fc.dictionary(text, fc.oneof(value, fc.array(value, { maxLength: 2 })), { maxKeys: 3, ...optional }),
  status: fc.constantFrom("active", "inactive", "pending"),
} as const;

const document = fc.oneof(
  fc.record(
    {
      ...head,
      type: fc.constantFrom("DOCUMENT", "WEBPAGE", "PDF", "TABLE"),
      url: fc.webUrl(),
      content: fc.array(fc.record({ md: text }, optional), { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ["resourceDocId", "metaData", "status", "type", "content"], ...optional },
  ),
  fc.record(
    { ...head, type: fc.constant("QNA"), question: text, answer: text, alternatives: fc.array(text, { maxLength: 2 }) },
    { requiredKeys: ["resourceDocId", "metaData", "status", "type", "question", "answer"], ...optional },
  ),
);

const origin: fc.Arbitrary<DocumentOrigin> = fc.record(
  { source: sourceName, argument: name, path: text, digest: text },
  { requiredKeys: ["source"], ...optional },
);

const argument = fc.record(
  {
    name,
    kind: fc.constantFrom("folder", "file", "address"),
    path: text,
    ids: text,
    settings: fc.dictionary(text, value, { maxKeys: 2, ...optional }),
  },
  { requiredKeys: ["name", "kind", "path", "ids"], ...optional },
);

const problems = fc.array(fc.record({ place: text, message: text }, optional), { maxLength: 2 });
const report = fc.record(
  {
    added: fc.nat(),
    changed: fc.nat(),
    unchanged: fc.nat(),
    removed: fc.nat(),
    failed: fc.nat(),
    problems,
    notes: problems,
  },
  { requiredKeys: ["added", "changed", "unchanged", "removed", "failed", "problems"], ...optional },
);

const charge = fc.record({ characters: fc.nat({ max: 100 }), atMs: timeMs }, optional);
const create = fc.record({ key: name, body: text }, optional);
const contentHash = fc.constantFrom("1", "2", "3");
const active = fc.boolean();

/** Records of one kind, of the fields given. */
function of<Kind extends BotRecord["kind"], Fields>(
  kind: Kind,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
  requiredKeys = Object.keys(fields),
): fc.Arbitrary<Written> {
  // Boundary: fast-check knows which of the fields may be absent only by their names.
  return fc
    .record(fields as Record<string, fc.Arbitrary<unknown>>, { requiredKeys, ...optional })
    .map((given) => ({ record: { kind, ...given } as unknown as RecordOf<Kind> }));
}

const vocabulary = fc.record(
  {
    synonyms: fc.array(text, { maxLength: 2 }),
    pins: fc.array(fc.record({ question: text, document: documentId }, optional), { maxLength: 2 }),
    ignored: fc.array(text, { maxLength: 2 }),
  },
  optional,
);

/** Records of vectors with their codes. */
const vectors = fc
  .record({
    id: fc.oneof(articleId, documentId),
    version: fc.oneof({ weight: 3, arbitrary: fc.constant(NEWEST) }, fc.integer({ min: 1, max: 9 })),
    first: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 2 })),
    texts: fc.constantFrom(1, 2),
    space: fc.record({ id: name, version: fc.constant("1"), dimensions: fc.constant(DIMENSIONS) }, optional),
    codes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
  })
  .map(({ codes, ...given }): Written => {
    const count = Math.ceil(codes.length / DIMENSIONS);
    const binary = new Uint8Array(count * DIMENSIONS);
    binary.set(codes);
    return { record: { kind: "vectors", encoding: "int8", count, ...given }, binary };
  });

/** Records of every kind, over few ids and names, so that records often meet. */
export const WRITTEN: { readonly [Kind in BotRecord["kind"]]: fc.Arbitrary<Written> } = {
  articlePut: of("articlePut", { article, charge, create }, ["article", "charge"]),
  articleDelete: of("articleDelete", { id: articleId }),
  documentPut: of("documentPut", { document, contentHash, source: sourceName, updatedAtMs: timeMs }, [
    "document",
    "contentHash",
  ]),
  documentBrought: of("documentBrought", { document, contentHash, origin, updatedAtMs: timeMs }, [
    "document",
    "contentHash",
    "origin",
  ]),
  documentOrigin: of("documentOrigin", { id: documentId, origin }),
  documentStatus: of("documentStatus", { id: documentId, status: head.status, updatedAtMs: timeMs }, ["id", "status"]),
  documentDelete: of("documentDelete", { id: documentId }),
  sourceArgument: of(
    "sourceArgument",
    { source: sourceName, argument, importedAtMs: timeMs, report, takesOver: sourceName },
    ["source", "argument"],
  ),
  sourceMove: of("sourceMove", { source: sourceName, to: fc.oneof(sourceName, text), argument }),
  sourceRemove: of("sourceRemove", { source: sourceName }),
  agentPut: of("agentPut", { name, active }),
  agentDelete: of("agentDelete", { name }),
  channelPut: of("channelPut", { name, active }),
  channelDelete: of("channelDelete", { name }),
  vocabularySet: of("vocabularySet", { vocabulary }),
  vectors,
};
