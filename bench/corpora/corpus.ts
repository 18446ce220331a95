import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { DocumentInput } from "@loredex/core";
import { passagesOf } from "../../packages/core/src/markdown/passages.ts";
import { CORPUS_FILES, type Corpus, type PassageText } from "./corpus-shape.ts";
import { JUDGED_SETS, markdownPages, squadLines, supportDescriptions, supportQuestions } from "./judged-sets.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Real text of any size, the same for every engine: support articles, product docs and encyclopaedia articles, cut into passages by Loredex's own rules, and
 * questions that people asked. A size above what there is goes on with documents whose passages are halves of two real ones, so that none is there twice.
 */

const SEED = 16;
const SPLICED_PASSAGES = 10;

/** Writes documents until they have so many passages, as many questions as wanted, and gives the work both. */
export async function withCorpus<Result>(
  passages: number,
  questions: number,
  work: (corpus: Corpus) => Promise<Result>,
): Promise<Result> {
  return withFiles(documentsOf(), passages, (ids) => someQuestions(questions, ids), work);
}

/** {@link realPages} and {@link questionsOfUsers}. */
export async function withRealPages<Result>(
  short: boolean,
  work: (corpus: Corpus) => Promise<Result>,
): Promise<Result> {
  return withFiles(realPages(short), Number.POSITIVE_INFINITY, () => questionsOfUsers(short), work);
}

async function withFiles<Result>(
  documents: Iterable<DocumentInput>,
  passagesMin: number,
  questionsAbout: (ids: ReadonlySet<string>) => readonly string[],
  work: (corpus: Corpus) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-corpus-"));
  try {
    const { ids, ...counted } = await writeCorpus(directory, documents, passagesMin);
    await writeFile(join(directory, CORPUS_FILES.questions), JSON.stringify(questionsAbout(ids)));
    return await work({ directory, ...counted });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const REAL_QUESTIONS = 1_000;
const [SHORT_PAGES, SHORT_QUESTIONS] = [40, 20];

/** Support articles and product docs as they are, in an order by seed. */
export function realPages(short: boolean): DocumentInput[] {
  return shuffled(markdownPages(), seededRandom(SEED)).slice(0, short ? SHORT_PAGES : undefined);
}

/** Questions of an FAQ's askers, and what support articles say that they answer, in equal shares. */
export function questionsOfUsers(short: boolean): string[] {
  const count = short ? SHORT_QUESTIONS : REAL_QUESTIONS;
  const random = seededRandom(SEED + 2);
  const faq = JUDGED_SETS["stackfaq-qna"];
  if (faq === undefined) throw new Error("There is no judged set stackfaq-qna");
  const asked = faq().questions.map(({ text }) => text);
  const [some, others] = [shuffled(asked, random), shuffled(supportDescriptions(), random)];
  return shuffled([...some.slice(0, count / 2), ...others.slice(0, count / 2)], random);
}

interface Written {
  readonly passages: number;
  readonly bytes: number;
  readonly ids: ReadonlySet<string>;
}

async function writeCorpus(directory: string, from: Iterable<DocumentInput>, passagesMin: number): Promise<Written> {
  const ids = new Set<string>();
  const documents = createWriteStream(join(directory, CORPUS_FILES.documents));
  const passages = createWriteStream(join(directory, CORPUS_FILES.passages));
  let [count, bytes] = [0, 0];
  for (const document of from) {
    const { title, bodies } = textOf(document);
    if (bodies.length === 0) continue;
    documents.write(`${JSON.stringify(document)}\n`);
    ids.add(document.resourceDocId);
    bytes += Buffer.byteLength(title);
    for (const body of bodies) {
      const passage: PassageText = { id: `p${count++}`, title, body };
      bytes += Buffer.byteLength(body);
      if (!passages.write(`${JSON.stringify(passage)}\n`)) await once(passages, "drain");
    }
    if (count >= passagesMin) break;
  }
  documents.end();
  passages.end();
  await Promise.all([finished(documents), finished(passages)]);
  return { passages: count, bytes, ids };
}

/** The articles of the encyclopaedia, which has most questions, the other real documents in an order by seed, then spliced ones without end. */
function* documentsOf(): Generator<DocumentInput> {
  const random = seededRandom(SEED);
  const encyclopaedia = shuffled(squadLines().documents, random);
  const science = JUDGED_SETS["scifact-train"]?.().documents ?? [];
  const real = [...encyclopaedia, ...shuffled([...markdownPages(), ...science], random)];
  yield* real;
  const bodies = real.flatMap((document) => textOf(document).bodies);
  const oneOf = (): string => bodies[Math.floor(random() * bodies.length)] ?? "";
  for (let number = 0; ; number++) {
    const paragraphs = Array.from({ length: SPLICED_PASSAGES }, () => `${half(oneOf(), 0)} ${half(oneOf(), 1)}`);
    yield {
      resourceDocId: `spliced ${number}`,
      type: "DOCUMENT",
      metaData: { title: half(oneOf(), 0).slice(0, 60) },
      content: [{ md: paragraphs.join("\n\n") }],
    };
  }
}

function half(text: string, which: 0 | 1): string {
  const words = text.split(/\s+/);
  const middle = Math.ceil(words.length / 2);
  return (which === 0 ? words.slice(0, middle) : words.slice(middle)).join(" ");
}

function textOf(document: DocumentInput): { readonly title: string; readonly bodies: string[] } {
  if (document.type === "QNA") return { title: document.question, bodies: [document.answer] };
  const { title } = document.metaData ?? {};
  const { markdown, passages } = passagesOf(document.content);
  const bodies = passages.map(({ fragments }) =>
    fragments.map(({ startOffset, endOffset }) => markdown.slice(startOffset, endOffset)).join("\n"),
  );
  return { title: typeof title === "string" ? title : "", bodies };
}

/** Questions about the encyclopaedia, claims of science, and what support articles say that they answer, in equal shares: those that documents of the corpus answer. */
function someQuestions(count: number, has: ReadonlySet<string>): string[] {
  const random = seededRandom(SEED + 1);
  const science = JUDGED_SETS["scifact-train"]?.();
  const kinds = [
    squadLines().questions.map(({ text, answer }) => ({ text, ids: [answer.documentId] })),
    science?.questions.map(({ id, text }) => ({ text, ids: [...(science.judgements.get(id)?.keys() ?? [])] })) ?? [],
    supportQuestions().map(({ text, documentId }) => ({ text, ids: [documentId] })),
  ]
    .map((kind) => kind.filter(({ ids }) => ids.some((id) => has.has(id))))
    .map((kind) => shuffled(kind, random).map(({ text }) => text));
  const inTurn = Array.from({ length: count }, (_, i) => kinds.flatMap((kind) => kind.slice(i, i + 1))).flat();
  return shuffled(inTurn.slice(0, count), random);
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
