import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentInput } from "@loredex/core";
import { markdownDocument } from "../packages/loredex/src/import/markdown-file.ts";

/** Corpora with questions and judgements, kept beside the project. They are not part of it: without them there is nothing to measure. */
const DATA = fileURLToPath(new URL("../../shared/data/", import.meta.url));

export interface Question {
  readonly id: string;
  readonly text: string;
}

/** Gains by document id; above 0 means relevant. */
export type Judgements = ReadonlyMap<string, number>;

export interface JudgedSet {
  readonly name: string;
  readonly documents: readonly DocumentInput[];
  readonly questions: readonly Question[];
  readonly judgements: ReadonlyMap<string, Judgements>;
}

/** The line of a document's markdown that holds the answer. */
export interface AnswerLine {
  readonly documentId: string;
  readonly line: number;
}

/** Documents with questions whose answers stand on known lines. */
export interface LineSet {
  readonly name: string;
  readonly documents: readonly DocumentInput[];
  readonly questions: readonly (Question & { readonly answer: AnswerLine })[];
}

/** Where the data is missing, says so and returns false. */
export function dataIsThere(): boolean {
  if (existsSync(DATA)) return true;
  console.error(`Not measured: the judged sets are not at ${DATA}`);
  return false;
}

interface CorpusRow {
  readonly _id: string;
  readonly title: string;
  readonly text: string;
}

export const JUDGED_SETS: Readonly<Record<string, () => JudgedSet>> = {
  "stackfaq-qna": () => judgedSet("StackFAQ (QNA)", "stackfaq", asQna),
  "stackfaq-doc": () => judgedSet("StackFAQ (DOCUMENT)", "stackfaq", asDocument),
  cranfield: () => judgedSet("Cranfield", "cranfield", asDocument),
  "scifact-train": () => judgedSet("SciFact train", "scifact", asDocument),
  "squad-paragraphs": () =>
    judgedSet("SQuAD 1.1 paragraphs", "squad_v1.1_dev", asDocument, "paragraphs", "qrels_paragraphs"),
  "xquad-en": () => judgedSet("XQuAD en paragraphs", "xquad/en", asDocument, "paragraphs", "qrels_paragraphs"),
};

/** The articles of SQuAD whole, each one markdown document. */
export function squadLines(): LineSet {
  const folder = "squad_v1.1_dev";
  const answers = new Map(
    rows<{ query_id: string; doc_id: string; line: number }>(`${folder}/spans.jsonl`).map((span) => [
      span.query_id,
      { documentId: span.doc_id, line: span.line },
    ]),
  );
  const questions = rows<CorpusRow>(`${folder}/queries.jsonl`).flatMap(({ _id, text }) => {
    const answer = answers.get(_id);
    return answer === undefined ? [] : [{ id: _id, text, answer }];
  });
  return {
    name: "SQuAD 1.1 lines",
    documents: rows<CorpusRow>(`${folder}/corpus.jsonl`).flatMap(asDocument),
    questions,
  };
}

/** What support articles say of themselves in their front matter, which is no part of their text: questions that they answer. */
export function supportDescriptions(): string[] {
  return rows<CorpusRow>("docs_ms_office_support_en/known_item/queries.jsonl").map(({ text: words }) => words);
}

/** Real pages: support articles, then product docs. */
export function markdownPages(): DocumentInput[] {
  return ["docs_ms_office_support_en", "docs_hugo_en", "docs_plausible_en"].flatMap((folder) =>
    readdirSync(DATA + folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .flatMap((path) => {
        try {
          return [markdownDocument(readFileSync(path, "utf8"), { id: path, path, type: "DOCUMENT" })];
        } catch {
          // Front matter that is no YAML: an import would name the file and pass it over.
          return [];
        }
      }),
  );
}

function judgedSet(
  name: string,
  folder: string,
  convert: (row: CorpusRow) => DocumentInput[],
  corpus = "corpus",
  qrels = "qrels",
): JudgedSet {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of text(`${folder}/${qrels}.tsv`).trim().split("\n").slice(1)) {
    const [question = "", document = "", gain = ""] = line.split("\t");
    const known = judgements.get(question) ?? new Map<string, number>();
    judgements.set(question, known.set(document, Number(gain)));
  }
  const questions = rows<CorpusRow>(`${folder}/queries.jsonl`)
    .map(({ _id, text: words }) => ({ id: _id, text: words }))
    .filter(({ id }) => [...(judgements.get(id)?.values() ?? [])].some((gain) => gain > 0));
  return { name, documents: rows<CorpusRow>(`${folder}/${corpus}.jsonl`).flatMap(convert), questions, judgements };
}

function asDocument({ _id, title, text: md }: CorpusRow): DocumentInput[] {
  return md === "" ? [] : [{ resourceDocId: _id, type: "DOCUMENT", metaData: { title }, content: [{ md }] }];
}

function asQna({ _id, title, text: answer }: CorpusRow): DocumentInput[] {
  return [{ resourceDocId: _id, type: "QNA", question: title, answer }];
}

function text(path: string): string {
  return readFileSync(DATA + path, "utf8");
}

function rows<Row>(path: string): Row[] {
  return text(path)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}
