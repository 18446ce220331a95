import type { DocumentInput } from "@loredex/core";
import MiniSearch from "minisearch";
import sqlite from "node-sqlite3-wasm";

/** A search library that a Node developer could pick instead, at its defaults. */
export interface Peer {
  /** Ids of the best documents, best first. */
  search(question: string, count: number): string[];
  close(): void;
}

export const PEERS: Readonly<Record<string, (documents: readonly DocumentInput[]) => Peer>> = {
  MiniSearch: miniSearch,
  "SQLite FTS5": fts5,
};

interface Text {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

function textOf(document: DocumentInput): Text {
  if (document.type === "QNA") return { id: document.resourceDocId, title: document.question, body: document.answer };
  const { title } = document.metaData ?? {};
  const body = document.content.map(({ md }) => md).join("\n");
  return { id: document.resourceDocId, title: typeof title === "string" ? title : "", body };
}

/** MiniSearch counts a title as much as its documentation's first example does: not more than the text. */
function miniSearch(documents: readonly DocumentInput[]): Peer {
  const index = new MiniSearch<Text>({ fields: ["title", "body"] });
  index.addAll(documents.map(textOf));
  return {
    search: (question, count) =>
      index
        .search(question)
        .slice(0, count)
        .map(({ id }) => String(id)),
    close: () => undefined,
  };
}

/** SQLite's full-text search with its stemmer, any of the words, ranked by its BM25. */
function fts5(documents: readonly DocumentInput[]): Peer {
  const database = new sqlite.Database();
  database.run("CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, title, body, tokenize = 'porter unicode61')");
  database.run("BEGIN");
  for (const document of documents) {
    const { id, title, body } = textOf(document);
    database.run("INSERT INTO texts VALUES (?, ?, ?)", [id, title, body]);
  }
  database.run("COMMIT");
  return {
    search: (question, count) => {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const any = words.map((word) => `"${word}"`).join(" OR ");
      const rows = database.all("SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?", [any, count]);
      return rows.map(({ id }) => String(id));
    },
    close: () => database.close(),
  };
}
