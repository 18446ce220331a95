import {
  type Evaluation,
  type EvaluationMeasures,
  evaluate,
  type SearchOptions,
  TOP_K_MAX,
  type Vocabulary,
} from "@loredex/core";
import { readVocabularyFile } from "@loredex/import";
import type { Option } from "../configuration/option.ts";
import { type GoldenFile, readGoldenFile } from "../evaluation/golden-file.ts";
import { Pace } from "../terminal/pace.ts";
import { Progress } from "../terminal/progress.ts";
import { counted, grouped, jsonLine, oneLine, type Terminal } from "../terminal/terminal.ts";
import { type Command, count, flag, type Invocation, number, type OptionValues, text, UsageError } from "./command.ts";
import { describeEvaluation, type Threshold } from "./eval-report.ts";
import { type GivenSearchOptions, searchOptions, searchOptionsWith, tellUnknownValues } from "./search-options.ts";
import { tellOtherLanguage, unfinished, vectorsMade } from "./unfinished.ts";

/** The measures need at least the first ten results. */
const TOP_K_MIN = 10;
const MISSES_SHOWN = 20;

/** The exit code if measuring failed, as distinct from a measure that is too low. */
const NOT_MEASURED = 2;

/** The measures that can have a threshold. */
const THRESHOLDS = {
  "min-ndcg": { label: "nDCG@10", of: ({ ndcgAt10 }: EvaluationMeasures) => ndcgAt10 },
  "min-mrr": { label: "MRR@10", of: ({ mrrAt10 }: EvaluationMeasures) => mrrAt10 },
  "min-recall": { label: "recall@10", of: ({ recallAt10 }: EvaluationMeasures) => recallAt10 },
  "min-lines": { label: "line in first part", of: ({ lines }: EvaluationMeasures) => lines?.firstPart },
} as const;
type ThresholdName = keyof typeof THRESHOLDS;

export const evalCommand: Command = {
  usage: "eval BOT FILE",
  summary: "ask the questions of a golden file, measure what is found, and name the misses",
  positionals: [2, 2],
  options: {
    "min-ndcg": threshold("end with 1 if nDCG@10 is below X, from 0 to 1"),
    "min-mrr": threshold("the same for MRR@10"),
    "min-recall": threshold("the same for recall@10"),
    "min-lines": threshold("the same for the share of answers in the first part of the first document"),
    misses: {
      kind: "count",
      value: "N",
      help: "most misses to show; --json has them all",
      default: MISSES_SHOWN,
      setting: true,
    },
    "with-vocabulary": {
      kind: "text",
      value: "FILE",
      help: "try a vocabulary, which the bot does not get, and show the measures before and with it",
      setting: false,
    },
    keep: { kind: "switch", help: "keep the measures and the misses with the bot, for its curve", setting: true },
    "wait-vectors": { kind: "switch", help: "begin when the embedder has read everything", setting: true },
    ...searchOptionsWith({
      help: "documents of each question to look at",
      min: TOP_K_MIN,
      default: TOP_K_MAX,
      // A setting for searches would change the measures.
      setting: false,
    }),
  },
  examples: ["eval acme questions.jsonl --min-ndcg 0.8"],
  async run(invocation) {
    const plan = planOf(invocation.options);
    tellUnknownValues(plan.search, invocation.terminal);
    try {
      return await run(invocation, plan);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      invocation.terminal.err(`loredex: ${oneLine(error instanceof Error ? error.message : String(error))}\n`);
      return NOT_MEASURED;
    }
  },
};

interface Plan {
  readonly search: GivenSearchOptions;
  readonly needed: ReadonlyMap<ThresholdName, number>;
  readonly missesShown: number;
  readonly waitsForVectors: boolean;
  /** Whether it is kept as a run. */
  readonly keeps: boolean;
  /** The file of a vocabulary to try. */
  readonly vocabularyPath: string | undefined;
}

function planOf(options: OptionValues): Plan {
  const names: readonly ThresholdName[] = ["min-ndcg", "min-mrr", "min-recall", "min-lines"];
  const needed = names.flatMap((name) => {
    const least = number(options, name);
    return least === undefined ? [] : [[name, least] as const];
  });
  return {
    search: searchOptions(options, TOP_K_MAX),
    needed: new Map(needed),
    missesShown: count(options, "misses") ?? MISSES_SHOWN,
    waitsForVectors: flag(options, "wait-vectors"),
    keeps: flag(options, "keep"),
    vocabularyPath: text(options, "with-vocabulary"),
  };
}

function threshold(help: string): Option {
  return { kind: "number", value: "X", min: 0, max: 1, help, setting: true };
}

async function run(invocation: Invocation, plan: Plan): Promise<number> {
  const { positionals, terminal, json } = invocation;
  const [bot = "", path = ""] = positionals;
  const golden = await readGoldenFile(path);
  if (!isUsable(golden, path, plan, terminal)) return NOT_MEASURED;
  const { vocabularyPath } = plan;
  const vocabulary = vocabularyPath === undefined ? undefined : await readVocabularyFile(vocabularyPath);
  const { evaluation, before } = await evaluated(invocation, bot, golden, plan, vocabulary);
  const thresholds = thresholdsOf(evaluation, plan);
  const isPassed = thresholds.every(({ isMet }) => isMet);
  if (json) {
    const report = withLines(evaluation, golden, thresholds, isPassed);
    terminal.out(jsonLine(before === undefined ? report : { ...report, before: before.measures }));
  } else {
    const context = { path, lines: golden.lines, thresholds, missesShown: plan.missesShown, before };
    terminal.out(describeEvaluation(evaluation, context, terminal));
  }
  return isPassed ? 0 : 1;
}

/** Whether the golden file is usable. A half-read file would give other measures, so all problems are named and no question is asked. */
function isUsable({ questions, problems }: GoldenFile, path: string, { needed }: Plan, terminal: Terminal): boolean {
  for (const { line, message } of problems) terminal.err(`${oneLine(path)}:${line}: ${oneLine(message)}\n`);
  const say = (message: string): boolean => {
    terminal.err(`loredex: ${message}; nothing was asked\n`);
    return false;
  };
  const place = oneLine(path);
  if (problems.length > 0)
    return say(
      counted(problems.length, `line of ${place} is no golden question`, `lines of ${place} are no golden questions`),
    );
  if (questions.length === 0) return say(`${place} has no questions`);
  const saysLines = questions.some(({ expected }) => expected.some(({ lines }) => lines.length > 0));
  return needed.has("min-lines") && !saysLines ? say(`no question of ${oneLine(path)} says lines`) : true;
}

async function evaluated(
  { operator: connect, terminal }: Invocation,
  bot: string,
  { questions }: GoldenFile,
  { search, waitsForVectors, keeps }: Plan,
  vocabulary: Vocabulary | undefined,
): Promise<{ readonly evaluation: Evaluation; readonly before: Evaluation | undefined }> {
  const operator = await connect();
  const progress = new Progress(terminal);
  try {
    await operator.whenSearchable(bot);
    if (waitsForVectors) await vectorsMade(operator, bot, progress);
    const details = await operator.showBot(bot);
    const left = unfinished(details);
    progress.clear();
    if (left !== undefined) terminal.err(`${oneLine(left)}\n`);
    tellOtherLanguage(details, terminal);
    const answering = {
      // A server of an earlier version knows no question log, and refuses the option.
      search: (query: string, { noted: _, ...options }: SearchOptions) => operator.search(bot, query, options),
      explain: (query: string, id: string, options: SearchOptions) => operator.explain(bot, query, id, options),
    };
    const measure = (options: SearchOptions): Promise<Evaluation> => {
      const pace = new Pace();
      const onProgress = (done: number, total: number): void => {
        progress.update(`${grouped(done)} of ${grouped(total)} questions asked${pace.left(done, total)}`);
      };
      return evaluate(answering, questions, { ...search, ...options, onProgress });
    };
    const own = await measure({});
    const evaluation = vocabulary === undefined ? own : await measure({ vocabulary });
    const { quality } = search;
    if (keeps) {
      const how = { ...(quality && { quality }), ...(vocabulary && { vocabulary: true }) };
      await operator.addRun(bot, { ...evaluation, ...how });
    }
    return { evaluation, before: vocabulary === undefined ? undefined : own };
  } finally {
    progress.clear();
  }
}

function thresholdsOf({ measures }: Evaluation, { needed }: Plan): Threshold[] {
  return [...needed].map(([name, least]) => {
    const { label, of } = THRESHOLDS[name];
    const measured = of(measures) ?? 0;
    return { label, needed: least, measured, isMet: measured >= least };
  });
}

/** The evaluation as JSON, with each question's line in the file instead of its index. */
function withLines(
  evaluation: Evaluation,
  { lines }: GoldenFile,
  thresholds: readonly Threshold[],
  passed: boolean,
): object {
  const misses = evaluation.misses.map(({ index, ...miss }) => ({ line: lines[index], ...miss }));
  return { ...evaluation, misses, thresholds, passed };
}
