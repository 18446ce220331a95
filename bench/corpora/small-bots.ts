import type { DocumentInput } from "@loredex/core";
import {
  JUDGED_SETS,
  type JudgedSet,
  type Judgements,
  markdownPages,
  type Question,
  supportQuestions,
  type Use,
} from "./judged-sets.ts";
import { drawBy } from "./noise-text.ts";

/** Small bots: samples of a judged set's documents, each with questions that they answer, and with unanswerable ones. */

/** A bot's documents and what it is asked. */
export interface SmallBot {
  readonly documents: readonly DocumentInput[];
  /** One for each document, at most {@link QUESTIONS_MAX}. */
  readonly answerable: readonly AnswerableQuestion[];
  /** Questions to documents that the bot does not have. */
  readonly unanswerable: readonly Question[];
}

export interface AnswerableQuestion extends Question {
  readonly judgements: Judgements;
}

/** Documents of one kind, with their questions, of which small bots are drawn. */
export interface SmallBotSource {
  readonly name: string;
  readonly language: string;
  readonly use: Use;
  readonly topics: readonly Topic[];
}

/** A document, the questions that it answers, and what it belongs to: others of the same kind may answer its questions as well. */
interface Topic {
  readonly kind: string;
  readonly document: DocumentInput;
  readonly questions: readonly AnswerableQuestion[];
}

/** Questions of each kind that one bot is asked. */
const QUESTIONS_MAX = 10;

/** Bots of `size` documents each, drawn by this seed: the same ones in every run. */
export function* smallBots({ topics }: SmallBotSource, size: number, count: number, seed: number): Generator<SmallBot> {
  const draw = drawBy(seed);
  for (let bot = 0; bot < count; bot++) {
    const drawn = drawnFrom(topics, topics.length, draw.below);
    const own = drawn.slice(0, size);
    const kinds = new Set(own.map(({ kind }) => kind));
    const others = drawn.slice(size).filter(({ kind }) => !kinds.has(kind));
    const oneOf = ({ questions }: Topic): AnswerableQuestion[] => drawnFrom(questions, 1, draw.below);
    yield {
      documents: own.map(({ document }) => document),
      answerable: own.slice(0, QUESTIONS_MAX).flatMap(oneOf),
      unanswerable: others.slice(0, QUESTIONS_MAX).flatMap(oneOf),
    };
  }
}

/** Some of these, in another order. */
function drawnFrom<Item>(items: readonly Item[], count: number, below: (end: number) => number): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(below(left.length), 1));
  return drawn;
}

/** The sources by name: each half of a set's documents is one of its own, so that no question is used for both. */
export const SMALL_BOT_SOURCES: Readonly<Record<string, () => SmallBotSource[]>> = {
  "stackfaq-qna": () => halves(mustLoad("stackfaq-qna"), everySecond),
  "stackfaq-doc": () => halves(mustLoad("stackfaq-doc"), everySecond),
  support: () => [pages("support articles", "tune", supportTopics())],
  products: () => [pages("product docs", "report", productTopics())],
  "xquad-en": () => halves(mustLoad("xquad-en"), byUse),
  "xquad-de": () => halves(mustLoad("xquad-de"), byUse),
};

function mustLoad(name: string): JudgedSet {
  const load = JUDGED_SETS[name];
  if (load === undefined) throw new Error(`There is no judged set ${name}`);
  return load();
}

type UseOfTopic = (topic: Topic, at: number, set: JudgedSet) => Use;
const everySecond: UseOfTopic = (_, at) => (at % 2 === 0 ? "tune" : "report");
const byUse: UseOfTopic = ({ questions: [question] }, _, set) =>
  question === undefined ? "report" : set.useOf(question);

function halves(set: JudgedSet, useOf: UseOfTopic): SmallBotSource[] {
  const asked = new Map<string, AnswerableQuestion[]>();
  for (const question of set.questions) {
    const judgements = set.judgements.get(question.id) ?? new Map<string, number>();
    for (const [id, gain] of judgements) {
      if (gain > 0) asked.set(id, [...(asked.get(id) ?? []), { ...question, judgements }]);
    }
  }
  const topics = set.documents.flatMap((document): Topic[] => {
    const { resourceDocId: id = "" } = document;
    const questions = asked.get(id);
    // Paragraphs of one article are of one kind.
    return questions === undefined ? [] : [{ kind: id.split("#")[0] ?? id, document, questions }];
  });
  return (["tune", "report"] as const).map((use) => ({
    name: set.name,
    language: set.language,
    use,
    topics: topics.filter((topic, at) => useOf(topic, at, set) === use),
  }));
}

function pages(name: string, use: Use, topics: readonly Topic[]): SmallBotSource {
  return { name, language: "en", use, topics };
}

/** Pages taken of a set: an encoder reads each in tenths of a second. */
const PAGES = 400;
/** Longer pages are left out: a small bot has short ones, and thousands of passages take an hour to encode. */
const PAGE_UNITS_MAX = 6_000;

function supportTopics(): Topic[] {
  const questions = new Map(supportQuestions().map((question) => [question.documentId, question]));
  return topicsOf(({ resourceDocId: id = "" }) => questions.get(id)?.text);
}

/** What product docs say of themselves in their front matter, which is no part of their text. */
function productTopics(): Topic[] {
  return topicsOf(({ resourceDocId: id = "", metaData }) =>
    id.includes("docs_hugo_en") && typeof metaData?.description === "string" ? metaData.description : undefined,
  );
}

function topicsOf(questionOf: (page: DocumentInput) => string | undefined): Topic[] {
  const topics = markdownPages().flatMap((page): Topic[] => {
    const { resourceDocId: id = "" } = page;
    const text = questionOf(page);
    const units = "content" in page ? page.content.reduce((sum, { md }) => sum + md.length, 0) : 0;
    if (text === undefined || units === 0 || units > PAGE_UNITS_MAX) return [];
    return [{ kind: id, document: page, questions: [{ id, text, judgements: new Map([[id, 1]]) }] }];
  });
  const step = Math.max(1, topics.length / PAGES);
  return Array.from({ length: Math.min(PAGES, topics.length) }, (_, i) => topics[Math.floor(i * step)] ?? []).flat();
}
