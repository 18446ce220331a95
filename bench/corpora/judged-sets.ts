import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentInput } from "@loredex/core";
import { markdownPage } from "../../packages/import/src/convert/markdown/markdown-file.ts";

/** Corpora with questions and judgements, kept beside the project. They are not part of it: without them there is nothing to measure. */
const DATA = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

export interface Question {
  readonly id: string;
  readonly text: string;
}

/** Gains by document id; above 0 means relevant. */
export type Judgements = ReadonlyMap<string, number>;

/** What a question may be used for: to choose settings, or to report how good they are. No question is used for both. */
export type Use = "tune" | "report";

/** The questions of a set for one use, in order; the corpus is whole for both. */
export function questionsFor<Asked extends Question>(
  set: { readonly questions: readonly Asked[]; readonly useOf: (question: Question) => Use },
  use: Use,
): Asked[] {
  return set.questions.filter((question) => set.useOf(question) === use);
}

export interface JudgedSet {
  readonly name: string;
  /** Its bots' language. */
  readonly language: string;
  readonly documents: readonly DocumentInput[];
  readonly questions: readonly Question[];
  readonly useOf: (question: Question) => Use;
  readonly judgements: ReadonlyMap<string, Judgements>;
}

/** The line of a document's markdown that holds the answer. */
export interface SearchQueue {
  readonly documentId: string;
  readonly line: number;
}

/** Documents with questions whose answers stand on known lines. */
export interface LineSet {
  readonly name: string;
  readonly documents: readonly DocumentInput[];
  readonly questions: readonly (Question & { readonly answer: SearchQueue })[];
  readonly useOf: (question: Question) => Use;
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

/** From the language of a question to that of the articles that answer it. */
const CROSSINGS = [
  ["de", "de"],
  ["de", "en"],
  ["en", "de"],
  ["en", "en"],
] as const;

export const JUDGED_SETS: Readonly<Record<string, () => JudgedSet>> = {
  "stackfaq-qna": () => judgedSet("StackFAQ (QNA)", "stackfaq", asQna, () => "report"),
  "stackfaq-doc": () => judgedSet("StackFAQ (DOCUMENT)", "stackfaq", asDocument, () => "report"),
  cranfield: () =>
    judgedSet("Cranfield", "cranfield", asDocument, ({ id }) => (Number(id) % 2 === 1 ? "tune" : "report")),
  "scifact-train": () => judgedSet("SciFact train", "scifact", asDocument, () => "tune"),
  "squad-paragraphs": () => wikipediaParagraphs("SQuAD 1.1 paragraphs", SQUAD),
  "xquad-en": () => wikipediaParagraphs("XQuAD en paragraphs", "xquad/en"),
  "xquad-de": () => ({ ...wikipediaParagraphs("XQuAD de paragraphs", "xquad/de"), language: "de" }),
  // The questions of both languages have the same ids.
  "xquad-de-en": () => ({
    ...wikipediaParagraphs("XQuAD de questions, en paragraphs", "xquad/en"),
    questions: wikipediaParagraphs("", "xquad/de").questions,
    language: "multi",
  }),
  ...Object.fromEntries(["auto", "multi"].flatMap((language) => CROSSINGS.map((way) => mixedSet(language, way)))),
};

const SQUAD = "squad_v1.1_dev";

/** By article of SQuAD: the first, third, ... are for tuning. XQuAD asks about the same articles, and the same ones are reported. */
function usesOfArticles(): ReadonlyMap<string, Use> {
  return new Map(rows<CorpusRow>(`${SQUAD}/corpus.jsonl`).map(({ _id }, i) => [_id, i % 2 === 0 ? "tune" : "report"]));
}

function wikipediaParagraphs(name: string, folder: string): JudgedSet {
  const uses = usesOfArticles();
  const set = judgedSet(name, folder, asDocument, () => "report", "paragraphs", "qrels_paragraphs");
  const useOf = ({ id }: Question): Use => {
    const [paragraph = ""] = set.judgements.get(id)?.keys() ?? [];
    return uses.get(articleOf(paragraph)) ?? "report";
  };
  return { ...set, useOf };
}

/**
 * Every second article in German and the others in English, among those to tune and among those to report alike. All paragraphs are
 * there whatever is asked; the questions are those that articles of one language answer.
 */
function mixedSet(language: string, [asked, answered]: (typeof CROSSINGS)[number]): [string, () => JudgedSet] {
  const load = (): JudgedSet => {
    const [german, english] = [wikipediaParagraphs("", "xquad/de"), wikipediaParagraphs("", "xquad/en")];
    const inGerman = germanArticles(german);
    const isIn = (spoken: string, paragraph: string): boolean =>
      inGerman.has(articleOf(paragraph)) === (spoken === "de");
    const documentsIn = (spoken: string, { documents }: JudgedSet): DocumentInput[] =>
      documents.filter(({ resourceDocId = "" }) => isIn(spoken, resourceDocId));
    const { questions, useOf, judgements } = asked === "de" ? german : english;
    return {
      name: `XQuAD mixed (${language}), ${asked} questions, ${answered} paragraphs`,
      language,
      documents: [...documentsIn("de", german), ...documentsIn("en", english)],
      questions: questions.filter(({ id }) => isIn(answered, [...(judgements.get(id)?.keys() ?? [])][0] ?? "")),
      useOf,
      judgements,
    };
  };
  return [`xquad-mixed-${language}-${asked}-${answered}`, load];
}

/** Every second one of the articles of each use. */
function germanArticles({ documents }: JudgedSet): ReadonlySet<string> {
  const uses = usesOfArticles();
  const articles = [...new Set(documents.map(({ resourceDocId = "" }) => articleOf(resourceDocId)))];
  const ofUse = (use: Use): string[] => articles.filter((article) => (uses.get(article) ?? "report") === use);
  return new Set([ofUse("tune"), ofUse("report")].flatMap((some) => some.filter((_, i) => i % 2 === 0)));
}

function articleOf(paragraph: string): string {
  return paragraph.slice(0, paragraph.lastIndexOf("#"));
}

/** The articles of SQuAD whole, each one markdown document. */
export function squadLines(): LineSet {
  const uses = usesOfArticles();
  const answers = new Map(
    rows<{ query_id: string; doc_id: string; line: number }>(`${SQUAD}/spans.jsonl`).map((span) => [
      span.query_id,
      { documentId: span.doc_id, line: span.line },
    ]),
  );
  const questions = rows<CorpusRow>(`${SQUAD}/queries.jsonl`).flatMap(({ _id, text }) => {
    const answer = answers.get(_id);
    return answer === undefined ? [] : [{ id: _id, text, answer }];
  });
  return {
    name: "SQuAD 1.1 lines",
    documents: rows<CorpusRow>(`${SQUAD}/corpus.jsonl`).flatMap(asDocument),
    questions,
    useOf: ({ id }) => uses.get(answers.get(id)?.documentId ?? "") ?? "report",
  };
}

/** What support articles say of themselves in their front matter, which is no part of their text: questions that they answer. */
export function supportDescriptions(): string[] {
  return rows<CorpusRow>("docs_ms_office_support_en/known_item/queries.jsonl").map(({ text: words }) => words);
}

/** The same, each with the id among {@link markdownPages} of the article that says it. */
export function supportQuestions(): (Question & { readonly documentId: string })[] {
  const folder = "docs_ms_office_support_en";
  const articles = new Map(
    text(`${folder}/known_item/qrels.tsv`)
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => {
        const [question = "", article = ""] = line.split("\t");
        return [question, join(DATA + folder, "docs", article)] as const;
      }),
  );
  return rows<CorpusRow>(`${folder}/known_item/queries.jsonl`).map(({ _id, text: words }) => ({
    id: _id,
    text: words,
    documentId: articles.get(_id) ?? "",
  }));
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
          return [{ resourceDocId: path, ...markdownPage(readFileSync(path, "utf8"), { name: path }) }];
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
  useOf: (question: Question) => Use,
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
  return {
    name,
    language: "en",
    documents: rows<CorpusRow>(`${folder}/${corpus}.jsonl`).flatMap(convert),
    questions,
    useOf,
    judgements,
  };
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
