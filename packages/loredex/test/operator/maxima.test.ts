import { Engine, findServerSocket, LoredexError } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { engineOperator } from "../../src/operator/engine-operator.ts";
import type { Operation, Operator } from "../../src/operator/operator.ts";
import { serveOperator } from "../../src/operator/operator-server.ts";
import { socketOperator } from "../../src/operator/socket-operator.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const PLACE = { name: "a", kind: "folder", path: "/srv/a", ids: "/srv/a", settings: { type: "PDF" } };
const ORIGIN = { source: "kb", argument: "a", path: "/srv/a/x.md", digest: "d" };
const TOLD = { place: "/srv/a/x.md", message: "m" };
const REPORT = { added: 1, changed: 1, unchanged: 1, removed: 1, failed: 1, problems: [TOLD], notes: [TOLD] };

/** Arguments that each operation takes; all of them, which the type makes sure of. */
const TAKEN: Readonly<Record<Operation, readonly unknown[]>> = {
  listBots: [],
  fleet: [],
  createBot: [
    {
      name: "made",
      quotaCharacters: 1,
      rateCharactersPerMinute: 1,
      quotaBytes: 1_024,
      rateBytesPerMinute: 1_024,
      importBytes: 1_024,
      language: "en",
      embedder: "none",
      quality: "best",
      questionLog: true,
      questionLogDays: 7,
      gapScore: 0.5,
    },
  ],
  ensureBot: [{ name: "made", language: "en", embedder: "none" }],
  showBot: ["bot"],
  setBot: ["bot", { name: "bot", language: "en", quality: "best" }],
  removeBot: ["bot"],
  rotateKey: ["bot"],
  revokeKey: ["bot"],
  addKey: ["bot", "one more", { scope: "search", requestsPerMinute: 5, origins: ["https://example.com"] }],
  listKeys: ["bot"],
  rotateNamedKey: ["bot", "named"],
  revokeNamedKey: ["bot", "named"],
  createAdminKey: ["one more", { scope: "read", bots: ["bot"] }],
  listAdminKeys: [],
  rotateAdminKey: ["anna"],
  revokeAdminKey: ["anna"],
  listChanges: [{ limit: 5, before: 7 }],
  putRegistration: ["bot", "agent", "ann", true],
  removeRegistration: ["bot", "agent", "ann"],
  listRegistrations: ["bot", "agent"],
  articlesOfAgent: ["bot", "ann"],
  importDocument: [
    "bot",
    {
      resourceDocId: "new",
      type: "DOCUMENT",
      status: "active",
      url: "u",
      metaData: { title: "t" },
      content: [{ md: "text" }],
    },
    ORIGIN,
  ],
  listSources: ["bot"],
  ownedDocuments: ["bot", ["kb"]],
  putSourceArgument: ["bot", "kb", PLACE, { imported: true, report: REPORT }],
  moveSource: ["bot", "kb", "kb2", PLACE],
  removeSource: ["bot", "kb"],
  whenSearchable: ["bot"],
  whenUpgraded: ["bot"],
  listDocuments: ["bot", { type: "PDF", status: "active" }],
  getDocument: ["bot", "doc"],
  setDocumentStatus: ["bot", "doc", "active"],
  removeDocument: ["bot", "doc", ORIGIN],
  getVocabulary: ["bot"],
  setVocabulary: ["bot", { synonyms: ["a, b"], pins: [{ question: "a", document: "b" }], ignored: ["c"] }],
  listGaps: ["bot", { limit: 5, belowScore: 0.5 }],
  listQuestions: ["bot", { limit: 5, before: 7 }],
  clearQuestions: ["bot"],
  getGolden: ["bot"],
  setGolden: ["bot", [{ question: "q", expected: [{ id: "doc", lines: [[1, 2]], gain: 1 }] }]],
  addRun: [
    "bot",
    {
      questions: 1,
      topK: 10,
      measures: { ndcgAt10: 1, mrrAt10: 1, recallAt10: 1, lines: { questions: 1, firstPart: 1, anyPart: 1 } },
      unknownDocuments: ["x"],
      misses: [
        {
          index: 1,
          question: "q",
          kind: "notFound",
          expected: [{ id: "doc", gain: 1, lines: [], outcome: "unknown", score: 0 }],
          found: [{ id: "doc", type: "DOCUMENT", title: "t", score: 0.5, start: 1, stop: 1, text: "t" }],
        },
      ],
      at: "2026-11-28T12:00:00Z",
      quality: "best",
      vocabulary: true,
    },
  ],
  search: ["bot", "question", { topK: 5, quality: "fast", filters: { "metaData.k": "v" } }],
  query: ["bot", "question", { topK: 5, facets: ["metaData.k"], groupBy: "metaData.k", groupSize: 2 }],
  suggest: ["bot", "typed", { limit: 5 }],
  explain: ["bot", "question", "doc", { topK: 5, filters: { "metaData.k": "v" } }],
  verify: ["bot"],
  purge: ["bot"],
};

/** Longer than any text of a request may be but that of a document, and more entries than any list may have. */
const LONG = "x".repeat(1_048_577);
const MANY = 200_001;
/** More names than anything may have but the metadata of a document. */
const NAMES = 101;

/** Every place of the arguments, with the arguments as they are with one value beyond all maxima there. */
function* beyondAll(given: unknown, place: string): Generator<readonly [place: string, value: unknown]> {
  if (typeof given === "string") yield [place, LONG];
  if (typeof given === "number") yield [place, 1e300];
  if (Array.isArray(given)) {
    yield [`${place}[]`, Array.from({ length: MANY }, () => given[0])];
    for (const [i, each] of given.entries()) {
      for (const [at, value] of beyondAll(each, `${place}.${i}`)) yield [at, given.with(i, value)];
    }
  } else if (typeof given === "object" && given !== null) {
    const [one] = Object.values(given);
    yield [`${place}{name}`, { ...given, [LONG]: one }];
    yield [`${place}{}`, { ...given, ...Object.fromEntries(Array.from({ length: NAMES }, (_, i) => [`k${i}`, one])) }];
    for (const [name, each] of Object.entries(given)) {
      for (const [at, value] of beyondAll(each, `${place}.${name}`)) yield [at, { ...given, [name]: value }];
    }
  }
}

/** Who brings a document may be told by a name alone. */
const BY_NAME = ["importDocument", [...TAKEN.importDocument.slice(0, 2), "kb"]] as const;

const CASES = [...Object.entries(TAKEN), BY_NAME].flatMap(([operation, given]) =>
  given.flatMap((argument, i) =>
    [...beyondAll(argument, `${operation}(${i}`)].map(
      ([place, value]) => [`${place})`, operation, given.map((each, at) => (at === i ? value : each))] as const,
    ),
  ),
);

async function served(): Promise<Operator> {
  const engine = await Engine.open({ embedders: {} });
  const directory = await temporaryDirectory();
  const server = await serveOperator(engineOperator(engine), { directory, logger: () => undefined });
  const operator = socketOperator((await findServerSocket(directory)) ?? "");
  onTestFinished(async () => {
    await operator.close();
    await server.close();
    await engine.close();
  });
  await engine.createBot({ name: "bot" });
  await engine.addKey("bot", "named");
  await engine.administration.addKey("anna");
  const bot = await engine.bot("bot");
  await bot.putAgent("ann", true);
  // Nothing but the kind keeps this one from being removed as an agent.
  await bot.putChannel("ann", true);
  await bot.importDocument({ resourceDocId: "doc", type: "PDF", content: [{ md: "text" }] }, { source: ORIGIN });
  return operator;
}

const operations = Object.keys(TAKEN) as Operation[];

/** Boundary: arguments are wrong on purpose, and none of a list of calls is known by its type. */
async function call(operator: Operator, operation: string, given: readonly unknown[]): Promise<void> {
  await (operator[operation as Operation] as (...given: readonly unknown[]) => Promise<unknown>)(...given);
}

/** What counts as the most where it is more, a gain, which is any number, the text of a document, which may have 64 MiB, and its metadata, 10,000 values. */
const NOT_BEYOND = [
  "importDocument(1.metaData{})",
  "importDocument(1.content.0.md)",
  "listQuestions(1.before)",
  "setGolden(1.0.expected.0.gain)",
  "search(2.topK)",
  "query(2.topK)",
  "explain(3.topK)",
];
/** What an import had to tell, and what a run had of documents, is cut to what is kept. */
const CUT =
  /^(?:putSourceArgument\(3\.report\.(?:problems|notes)\.0|addRun\(1\.(?:unknownDocuments|misses\.0\.(?:expected|found)(?!\.0\.id|\.0\{)))/;

describe("what comes over the operator's socket", () => {
  it.each(operations)("is taken by %s as it is, so that only its maxima can refuse more", async (operation) => {
    await call(await served(), operation, TAKEN[operation]);
  });

  it("is refused beyond a maximum, whatever it is and wherever it stands", async () => {
    let operator = await served();
    const taken = new Set<string>();
    for (const [place, operation, given] of CASES) {
      try {
        await call(operator, operation, given);
        taken.add(place);
        // A document that was brought would be refused for its source from here on.
        operator = await served();
      } catch (error) {
        expect(error, place).toBeInstanceOf(LoredexError);
        if (error instanceof LoredexError) expect(["STORAGE_FAILED", "CLOSED"], place).not.toContain(error.code);
      }
    }
    expect([...taken].filter((place) => !CUT.test(place))).toEqual(NOT_BEYOND);
  });
});
