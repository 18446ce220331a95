import {
  type Drop,
  type ExplainedPassage,
  type ExplainedQuestion,
  type Explanation,
  type ExplanationOutcome,
  TOP_K_DEFAULT,
  TOP_K_MAX,
} from "@loredex/core";
import { bold, dim, grouped, jsonLine, oneLine, type Terminal, table } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";
import { linesText } from "./lines.ts";
import { searchOptions, searchOptionsWith, tellUnknownValues } from "./search-options.ts";
import { tellMissingReader } from "./unfinished.ts";

/** The passages that are likely to matter. `--json` has all of them. */
const PASSAGES_SHOWN = 8;

export const explainCommand: Command = {
  usage: "explain BOT QUERY ID",
  summary: "why a document stands where it stands among the answers, or is not there",
  positionals: [3, 3],
  options: searchOptionsWith({
    help: "most documents of the search that is explained",
    default: TOP_K_DEFAULT,
    setting: true,
  }),
  examples: ['explain acme "when do I get my money back?" file:handbook/refunds.md'],
  async run({ positionals: [bot = "", query = "", id = ""], options, terminal, json, operator }) {
    const wanted = searchOptions(options, TOP_K_DEFAULT);
    tellUnknownValues(wanted, terminal);
    const way = await operator();
    const explanation = await way.explain(bot, query, id, wanted);
    await tellMissingReader(way, bot, wanted, terminal);
    terminal.out(json ? jsonLine(explanation) : describe(explanation, terminal));
    return explanation.outcome === "unknown" ? 1 : 0;
  },
};

function describe(explanation: Explanation, terminal: Terminal): string {
  const { document, id, question, passages } = explanation;
  const head = bold(oneLine(document?.title ?? id), terminal);
  const kind =
    document === undefined
      ? ""
      : `${dim(`${document.type}  ${document.status}  ${oneLine(document.url ?? id)}`, terminal)}\n`;
  const newer = document?.newerWaits
    ? "A newer version of it waits to be indexed; this is the one that searches see.\n"
    : "";
  const blocks = [
    `${head}\n${kind}${verdict(explanation)}\n${newer}`,
    ...(question.terms.length === 0 ? [] : [describeQuestion(question)]),
    ...(passages.length === 0 ? [] : [describePassages(passages, question)]),
    ...describeReranking(explanation),
  ];
  return blocks.join("\n");
}

/** The outcome for the document, in a sentence or two. */
export function verdict(explanation: Explanation): string {
  const { rank = 0, score, topK, returned, droppedBy, question } = explanation;
  const at = `${score.toFixed(3)}${equality(explanation)}`;
  const sentences: Readonly<Record<ExplanationOutcome, () => string>> = {
    returned: () => `Returned as number ${rank} of ${returned}, with ${at}.`,
    afterLast: () =>
      `Not returned: it would be number ${rank}, with ${at}, and ${topK} are returned.${needed(explanation)}`,
    notReranked: () =>
      `Not returned: by words and vectors it is number ${rank}, with ${at}, and the best ${question.rerank?.documents} are reranked.${reranksMore(question)}`,
    beforeOffset: () => `Not returned: it is number ${rank}, with ${at}, and the answer begins behind it.`,
    belowMinScore: () => `Not returned: it has ${at}, which is below the least score that was asked for.`,
    missed: () => `Not returned: with ${at} it would be number ${rank}, but ${missedBy(question)}.`,
    filtered: () => {
      const otherwise =
        score > 0
          ? ` Without that it would be number ${rank}${rank > (question.rerank?.documents ?? rank) ? " by words and vectors" : ""}, with ${at}.`
          : " It would not be found without that either.";
      return `Not returned: ${droppedBy.map(describeDrop).join("; ")}.${otherwise}`;
    },
    belowFloor: () => "Not found: no passage of it has enough in common with the question, by words or by meaning.",
    noTerms: () => "Not found: the question has not a single word.",
    noText: () => "Not found: the document has no text.",
    notIndexed: () => "Not found yet: it was accepted, and waits to be indexed.",
    unknown: () => "The bot has no document and no article with this id.",
  };
  return sentences[explanation.outcome]();
}

/** How to have more documents reranked, unless as many as possible were. */
function reranksMore({ rerank }: ExplainedQuestion): string {
  return rerank === undefined || rerank.documents >= TOP_K_MAX
    ? ""
    : ` A search for more than ${rerank.documents} results reranks ${TOP_K_MAX}.`;
}

function missedBy({ dense }: ExplainedQuestion): string {
  if (dense !== undefined)
    return "the graph of the vectors, which finds nearly all of the nearest passages, did not find it";
  return "more passages have its words than the search reads";
}

function equality({ equals, pinnedBy }: Explanation): string {
  if (pinnedBy !== undefined) return ` (the vocabulary pins it to "${oneLine(pinnedBy)}")`;
  if (equals === undefined) return "";
  const what = {
    title: "its title equals the question",
    variant: "one of its questions equals the question",
    text: "a part of its text equals the question",
  };
  return ` (${what[equals]})`;
}

function needed({ scoreNeeded }: Explanation): string {
  return scoreNeeded === undefined ? "" : ` The last of them has ${scoreNeeded.toFixed(3)}.`;
}

function describeDrop({ field, wanted, found }: Drop): string {
  const isGroup = ["filters.and", "filters.or", "filters.not"].includes(field);
  const none = isGroup ? "it does not fit" : "it has none";
  const has = found === undefined ? none : `it has ${oneLine(JSON.stringify(found))}`;
  return `${oneLine(field)} asks for ${oneLine(JSON.stringify(wanted))}, and ${has}`;
}

function describeQuestion({ terms, ignored = [], dense }: ExplainedQuestion): string {
  const rows = terms.map(({ term, count, passages, idf, weight, share, meant }) => [
    meant === undefined ? term : `${term} (taken for ${meant.join(", ")})`,
    `${count}`,
    passages === 0 ? "none" : grouped(passages),
    idf.toFixed(2),
    weight.toFixed(2),
    percent(share),
  ]);
  const meaning =
    dense === undefined
      ? "By words alone.\n"
      : `Meaning, read by ${oneLine(dense.embedder)}, has ${percent(dense.weight)} of the weight in a passage's score; words have the rest.\n${describeIdentifiers(dense.identifiers)}${describeSmallTalk(dense)}`;
  const left = ignored.length === 0 ? "" : `The vocabulary ignores: ${oneLine(ignored.join(", "))}.\n`;
  return `${table(["TERM", "COUNT", "IN PASSAGES", "IDF", "WEIGHT", "SHARE"], rows)}${left}${meaning}`;
}

function describeSmallTalk({ smallTalk, scorePower }: NonNullable<ExplainedQuestion["dense"]>): string {
  // A question that asks something has neither.
  if (smallTalk === undefined || scorePower === undefined) return "";
  return `The question is ${percent(smallTalk)} small talk: each score is raised to the power of ${scorePower.toFixed(1)}.\n`;
}

function describeIdentifiers(terms: readonly string[] = []): string {
  if (terms.length === 0) return "";
  return `The question asks for exact strings (${oneLine(terms.join(", "))}): the meaning of a passage that lacks one of them counts less (marked with *).\n`;
}

function describePassages(passages: readonly ExplainedPassage[], { dense }: ExplainedQuestion): string {
  const rows = passages
    .slice(0, PASSAGES_SHOWN)
    .map((passage) => [
      passage.similarity === 0 ? "below floor" : passage.similarity.toFixed(3),
      passage.lexical.toFixed(3),
      ...(dense === undefined
        ? []
        : [
            `${passage.calibrated?.toFixed(3) ?? "no vector"}${passage.meaningCounts === undefined ? "" : "*"}`,
            passage.cosine?.toFixed(3) ?? "",
          ]),
      passage.kind === "variant" ? `"${passage.text}"` : linesText(passage.start, passage.stop),
      passage.terms.map(({ term, score }) => `${term} ${score.toFixed(2)}`).join(", "),
    ]);
  const headings = ["SCORE", "WORDS", ...(dense === undefined ? [] : ["MEANING", "COSINE"]), "PASSAGE", "TERMS"];
  const more = passages.length - rows.length;
  return `${table(headings, rows)}${more > 0 ? `and ${grouped(more)} more with no higher scores (--json has them)\n` : ""}`;
}

/** The match of each word piece of the question in the best reranked passage, or the reason why there is none. */
export function describeReranking({ question, passages }: Pick<Explanation, "question" | "passages">): string[] {
  if (question.rerank === undefined || passages.length === 0) return [];
  const best = passages.find(({ rerank }) => rerank !== undefined);
  const { documents, weight, wordPieces } = question.rerank;
  const reranking = `Reranking, of the best ${documents} documents, weighs ${weight.toFixed(2)} beside 1 for words and meaning.`;
  if (best?.rerank === undefined) {
    return [`${reranking} This one was not compared: it is not among them, or its token codes are not made yet.\n`];
  }
  const { closeness, similarity, titleFactor, matches } = best.rerank;
  const where = best.kind === "variant" ? `"${oneLine(best.text)}"` : linesText(best.start, best.stop);
  const rows = matches.map(({ wordPiece: fragment, closeness: near, start, stop }, i) => [
    oneLine(fragment),
    wordPieces[i]?.weight.toFixed(2) ?? "",
    near.toFixed(2),
    start === undefined || stop === undefined ? "" : linesText(start, stop),
  ]);
  const byTitle =
    titleFactor === undefined
      ? ""
      : `, ${titleFactor.toFixed(2)} times as much as without the title, which is closer to the question`;
  const sentence = `${reranking} By it ${where} has ${closeness.toFixed(3)}, and ${similarity.toFixed(3)} by all${byTitle}.\n`;
  return [`${sentence}${table(["TOKEN", "WEIGHT", "CLOSENESS", "BEST IN"], rows)}`];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
