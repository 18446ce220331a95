import type { Explanation } from "../model/explanation.ts";
import { A_FUNCTION, anObjectWith, kind, type OptionKinds } from "../model/known-options.ts";
import { TOP_K_MAX } from "../model/limits.ts";
import { SEARCH_OPTIONS } from "../model/option-tables.ts";
import { requireArguments } from "../model/require-options.ts";
import type { SearchOptions, SearchResult } from "../model/types.ts";
import { Violations } from "../model/validation.ts";
import type { Evaluation, EvaluationMeasures, ExpectedOutcome, FoundInstead, Miss, MissKind } from "./evaluation.ts";
import { type GoldenInput, type GoldenQuestion, parseGoldens } from "./golden.ts";
import { lineInAnyPart, lineInFirstPart, mean, normalizedDiscountedGain, recall, reciprocalRank } from "./measures.ts";

/** The subject of an evaluation: a {@link Bot}, or anything that answers like one. */
export interface Answering {
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>;
  explain(query: string, id: string, options: SearchOptions): Promise<Explanation>;
}

/** The options of a search that decide what it finds, and those of an evaluation. */
export interface EvaluateOptions
  extends Omit<SearchOptions, "includeContent" | "context" | "contextCharacters" | "offset" | "noted" | "requestId"> {
  /** The maximum number of documents asked for with each question: an integer from 10; more than 100 counts as 100. Default 100. */
  readonly topK?: number;
  /** Called after each question with the number of questions done. */
  readonly onProgress?: (done: number, total: number) => void;
}

const {
  includeContent: _,
  context: _context,
  contextCharacters: _characters,
  offset: _offset,
  noted: _noted,
  requestId: _requestId,
  ...OF_SEARCHES
} = SEARCH_OPTIONS;
const EVALUATE_OPTIONS: OptionKinds<EvaluateOptions> = { ...OF_SEARCHES, onProgress: A_FUNCTION };
const GOLDEN = kind<readonly GoldenInput[]>("array", "a list of questions with their answers", Array.isArray);
const A_BOT = anObjectWith<Answering>("a bot", "search", "explain");

/** The cutoff of the measures: the number of documents that the API returns by default. */
const CUTOFF = 10;
const DEEP_CUTOFF = 100;
const FOUND_SHOWN = 3;

/**
 * Measures what a bot finds: asks it questions whose answers are known, one after the other, as a user would.
 * It waits for nothing. The documents must be searchable before ({@link Bot.whenSearchable}, {@link Bot.whenUpgraded}).
 * @throws ValidationError naming every broken rule of the questions and the options; any error of a search
 */
export async function evaluate(
  bot: Answering,
  golden: readonly GoldenInput[],
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  requireArguments("evaluate", { bot, golden, options }, { bot: A_BOT, golden: GOLDEN, options: EVALUATE_OPTIONS });
  const { topK: wanted = DEEP_CUTOFF, onProgress, ...ofSearches } = options;
  const questions = parseGoldens(golden);
  const topK = parseTopK(wanted);
  const judged: Judged[] = [];
  for (const [index, question] of questions.entries()) {
    judged.push(await judge(bot, question, index, { ...ofSearches, topK }));
    onProgress?.(index + 1, questions.length);
  }
  return {
    questions: questions.length,
    topK,
    measures: measuresOf(judged, topK),
    unknownDocuments: [...new Set(judged.flatMap(({ unknown }) => unknown))].sort(),
    misses: judged.flatMap(({ miss }) => miss ?? []),
  };
}

/** The judgement of one question. */
interface Judged {
  readonly ndcg: number;
  readonly reciprocal: number;
  readonly recall: number;
  readonly deepRecall: number;
  /** Undefined if the question names no lines. */
  readonly lines: { readonly firstPart: number; readonly anyPart: number } | undefined;
  readonly unknown: readonly string[];
  readonly miss: Miss | undefined;
}

async function judge(
  bot: Answering,
  { question, expected }: GoldenQuestion,
  index: number,
  options: SearchOptions,
): Promise<Judged> {
  // The questions of an evaluation are no questions of users.
  const results = await bot.search(question, { ...options, noted: false });
  // More results are reranked more deeply than the ten that most users ask for. The measures are of these ten.
  const first =
    results.length > CUTOFF ? await bot.search(question, { ...options, topK: CUTOFF, noted: false }) : results;
  const outcomes: ExpectedOutcome[] = [];
  for (const each of expected)
    outcomes.push({ ...each, ...(await standing(bot, question, each.id, { first, results }, options)) });
  const ranking = first.map(({ resourceDocId }) => resourceDocId);
  const gains = new Map(expected.map(({ id, gain }) => [id, gain]));
  const answer = new Map(expected.map(({ id, lines }) => [id, lines]));
  const saysLines = expected.some(({ lines }) => lines.length > 0);
  const firstPart = lineInFirstPart(first, answer);
  const kind = missKind(outcomes, firstPart === 1);
  return {
    ndcg: normalizedDiscountedGain(ranking, gains, CUTOFF),
    reciprocal: reciprocalRank(ranking, gains, CUTOFF),
    recall: recall(ranking, gains, CUTOFF),
    deepRecall: recall(
      results.map(({ resourceDocId }) => resourceDocId),
      gains,
      DEEP_CUTOFF,
    ),
    lines: saysLines ? { firstPart, anyPart: lineInAnyPart(first, answer, CUTOFF) } : undefined,
    unknown: outcomes.filter(({ outcome }) => outcome === "unknown").map(({ id }) => id),
    miss:
      kind === undefined
        ? undefined
        : { index, question, kind, expected: outcomes, found: first.slice(0, FOUND_SHOWN).map(foundInstead) },
  };
}

/** The outcome of an expected document. The bot is asked to explain only documents that it did not return. */
async function standing(
  bot: Answering,
  question: string,
  id: string,
  { first, results }: { readonly first: readonly SearchResult[]; readonly results: readonly SearchResult[] },
  options: SearchOptions,
): Promise<Pick<ExpectedOutcome, "outcome" | "rank" | "score">> {
  const isIt = ({ resourceDocId }: SearchResult): boolean => resourceDocId === id;
  const at = first.findIndex(isIt);
  const found = first[at] ?? results.find(isIt);
  if (found !== undefined) {
    const rank = at >= 0 ? at + 1 : Math.max(CUTOFF, results.indexOf(found)) + 1;
    return { outcome: "returned", rank, score: found.bestMatchScore };
  }
  const { outcome, rank, score } = await bot.explain(question, id, options);
  return { outcome, ...(rank === undefined ? {} : { rank }), score };
}

function missKind(expected: readonly ExpectedOutcome[], isOnLine: boolean): MissKind | undefined {
  if (expected.some(({ outcome }) => outcome === "unknown")) return "unknownDocument";
  const ranks = expected.flatMap(({ outcome, rank }) => (outcome === "returned" ? (rank ?? []) : []));
  const best = Math.min(...ranks, Number.POSITIVE_INFINITY);
  if (best > CUTOFF) return "notFound";
  if (best > 1) return "notFirst";
  return isOnLine ? undefined : "wrongLines";
}

function foundInstead({
  resourceDocId: id,
  type,
  metaData,
  bestMatchScore,
  similarTextParts,
}: SearchResult): FoundInstead {
  const { title } = metaData;
  const { start = 0, stop = 0, text = "" } = similarTextParts[0] ?? {};
  return { id, type, ...(typeof title === "string" ? { title } : {}), score: bestMatchScore, start, stop, text };
}

function measuresOf(judged: readonly Judged[], topK: number): EvaluationMeasures {
  const lines = judged.flatMap((each) => each.lines ?? []);
  return {
    ndcgAt10: mean(judged.map(({ ndcg }) => ndcg)),
    mrrAt10: mean(judged.map(({ reciprocal }) => reciprocal)),
    recallAt10: mean(judged.map((each) => each.recall)),
    ...(topK < DEEP_CUTOFF ? {} : { recallAt100: mean(judged.map(({ deepRecall }) => deepRecall)) }),
    ...(lines.length === 0
      ? {}
      : {
          lines: {
            questions: lines.length,
            firstPart: mean(lines.map(({ firstPart }) => firstPart)),
            anyPart: mean(lines.map(({ anyPart }) => anyPart)),
          },
        }),
  };
}

function parseTopK(topK: number): number {
  const violations = new Violations();
  if (!Number.isInteger(topK) || topK < CUTOFF) {
    violations.add(
      "options.topK",
      "range",
      `options.topK must be an integer from ${CUTOFF}, since the measures look that far`,
    );
  }
  violations.throwIfAny();
  return Math.min(topK, TOP_K_MAX);
}
