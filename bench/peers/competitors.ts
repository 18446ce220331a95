import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocumentInput, Engine } from "@loredex/core";
import { create, insert, search } from "@orama/orama";
import FlexSearch from "flexsearch";
import MiniSearch from "minisearch";
import sqlite from "node-sqlite3-wasm";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import type { PassageText } from "../corpora/corpus-shape.ts";

/**
 * What a Node developer could pick instead, at its defaults, each with the same text stored beside its index: a passage is a document of its own there.
 * Loredex gets the documents and cuts them itself, and answers with lines.
 */
export type Competitor = Taking<"documents", DocumentInput> | Taking<"passages", PassageText>;

interface Taking<Kind extends string, Input> {
  readonly takes: Kind;
  add(input: Input): Promise<void> | void;
  /** Everything that was added is found, though some of it not yet as fast as it will be; where there is no difference, absent. */
  found?(): Promise<void>;
  /** Everything that was added is searched as fast as it ever will be. */
  ready(): Promise<void>;
  /** @param results default {@link RESULTS}; peers give that number in any case */
  search(question: string, results?: number): Promise<unknown> | unknown;
  close(): Promise<void> | void;
}

export const RESULTS = 10;

const COMPETITORS = {
  "Loredex, words": () => loredex("none"),
  "Loredex, words and static embedder": () => loredex("static"),
  MiniSearch: miniSearch,
  Orama: orama,
  FlexSearch: flexSearch,
  "SQLite FTS5": fts5,
} as const satisfies Readonly<Record<string, () => Competitor | Promise<Competitor>>>;

export type CompetitorName = keyof typeof COMPETITORS;

export function isCompetitor(name: string): name is CompetitorName {
  return Object.hasOwn(COMPETITORS, name);
}

export async function openCompetitor(name: CompetitorName): Promise<Competitor> {
  return await COMPETITORS[name]();
}

/** On a disk, as it is used: what is in memory is what it needs there. */
async function loredex(embedder: "none" | "static"): Promise<Competitor> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  const engine = await Engine.open({ directory, ...(embedder === "none" ? { embedders: {} } : {}) });
  const { bot } = await unlimitedBot(engine, "measured", embedder);
  let brought: Promise<unknown>[] = [];
  return {
    takes: "documents",
    add: async (document) => {
      brought.push(bot.importDocument(document));
      if (brought.length < IMPORTS_AT_ONCE) return;
      await Promise.all(brought);
      brought = [];
    },
    found: async () => {
      await Promise.all(brought);
      await bot.whenSearchable();
    },
    ready: async () => {
      await Promise.all(brought);
      await whenGraphIsReady(bot);
    },
    search: (question, results = RESULTS) => bot.search(question, { topK: results }),
    close: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const IMPORTS_AT_ONCE = 32;

function miniSearch(): Competitor {
  const index = new MiniSearch<PassageText>({ fields: ["title", "body"], storeFields: ["title", "body"] });
  return {
    takes: "passages",
    add: (passage) => index.add(passage),
    ready: async () => undefined,
    search: (question) => index.search(question).slice(0, RESULTS),
    close: () => undefined,
  };
}

/** Any of the words counts (`threshold` 1), as everywhere else; that is its default. */
function orama(): Competitor {
  const index = create({ schema: { title: "string", body: "string" } as const });
  return {
    takes: "passages",
    add: async ({ id, title, body }) => {
      await insert(index, { id, title, body });
    },
    ready: async () => undefined,
    search: (question) => search(index, { term: question, limit: RESULTS }),
    close: () => undefined,
  };
}

/** With `suggest` any of the words counts; without it a question is answered by what holds them all, which is mostly nothing. */
function flexSearch(): Competitor {
  const index = new FlexSearch.Document({ document: { id: "id", index: ["title", "body"], store: true } });
  return {
    takes: "passages",
    add: ({ id, title, body }) => void index.add({ id, title, body }),
    ready: async () => undefined,
    search: (question) => index.search(question, { limit: RESULTS, suggest: true, enrich: true }),
    close: () => undefined,
  };
}

/** In WebAssembly: native SQLite is faster. With its stemmer, any of the words, ranked by its BM25. */
function fts5(): Competitor {
  const database = new sqlite.Database();
  database.run("CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, title, body, tokenize = 'porter unicode61')");
  database.run("BEGIN");
  const insertion = database.prepare("INSERT INTO texts VALUES (?, ?, ?)");
  const ask = database.prepare("SELECT id, title, body FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?");
  return {
    takes: "passages",
    add: ({ id, title, body }) => void insertion.run([id, title, body]),
    ready: async () => void database.run("COMMIT"),
    search: (question) => {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      return words.length === 0 ? [] : ask.all([words.map((word) => `"${word}"`).join(" OR "), RESULTS]);
    },
    close: () => {
      insertion.finalize();
      ask.finalize();
      database.close();
    },
  };
}
