import type { Evaluation, EvaluationMeasures, ExpectedOutcome, FoundInstead, Miss, MissKind } from "@loredex/core";
import { bold, counted, dim, grouped, oneLine, type Terminal } from "../terminal/terminal.ts";
import { linesText } from "./lines.ts";

/** A required least value of a measure. */
export interface Threshold {
  readonly label: string;
  readonly needed: number;
  readonly measured: number;
  readonly isMet: boolean;
}

export interface ReportContext {
  /** The path of the golden file. */
  readonly path: string;
  /** The line of each question in the golden file. */
  readonly lines: readonly number[];
  readonly thresholds: readonly Threshold[];
  /** The most misses to show. */
  readonly missesShown: number;
  /** The evaluation with the bot's own vocabulary, if another one was tried. */
  readonly before?: Evaluation | undefined;
}

const KINDS: readonly (readonly [kind: MissKind, heading: string])[] = [
  ["unknownDocument", "Expects documents that the bot does not have"],
  ["notFound", "No expected document among the first ten"],
  ["notFirst", "Another document is first"],
  ["wrongLines", "The first document is right, its first part is not"],
];

/** The most characters of a found text that are shown. The line number leads to the rest. */
const TEXT_CHARACTERS_SHOWN = 100;

/** An evaluation as text: the measures, then the misses, the worst kind first. */
export function describeEvaluation(evaluation: Evaluation, context: ReportContext, terminal: Terminal): string {
  const { questions, measures, misses } = evaluation;
  const shown = KINDS.flatMap(([kind]) => misses.filter((miss) => miss.kind === kind)).slice(0, context.missesShown);
  const groups = KINDS.flatMap(([kind, heading]) => {
    const all = misses.filter((miss) => miss.kind === kind);
    const some = shown.filter((miss) => miss.kind === kind).map((miss) => describeMiss(miss, context, terminal));
    return all.length === 0 ? [] : [`\n${bold(`${heading}: ${grouped(all.length)}`, terminal)}\n${some.join("")}`];
  });
  const hidden = misses.length - shown.length;
  const more =
    hidden > 0
      ? `\n${counted(hidden, "more miss is", "more misses are")} not shown (--misses N; --json has them all)\n`
      : "";
  const asked = `${counted(questions, "question", "questions")}, ${grouped(questions - misses.length)} answered as expected\n\n`;
  return `${asked}${describeMeasures(measures, context)}${groups.join("")}${more}`;
}

type Row = readonly [label: string, value: number, remark: string];

function rowsOf({ ndcgAt10, mrrAt10, recallAt10, recallAt100, lines }: EvaluationMeasures): readonly Row[] {
  const of =
    lines === undefined ? "" : `  of ${counted(lines.questions, "question that says", "questions that say")} lines`;
  return [
    ["nDCG@10", ndcgAt10, ""],
    ["MRR@10", mrrAt10, ""],
    ["recall@10", recallAt10, ""],
    ...(recallAt100 === undefined ? [] : [["recall@100", recallAt100, ""] as const]),
    ...(lines === undefined ? [] : [["line in first part", lines.firstPart, of] as const]),
    ...(lines === undefined ? [] : [["line in any part", lines.anyPart, of] as const]),
  ];
}

/** The measures, one a line; if a vocabulary was tried, with those before it and the difference. */
function describeMeasures(measures: EvaluationMeasures, { thresholds, before }: ReportContext): string {
  const rows = rowsOf(measures);
  const rowsBefore = before === undefined ? [] : rowsOf(before.measures);
  const width = Math.max(...rows.map(([label]) => label.length));
  const described = rows.map(([label, value, remark], i) => {
    const threshold = thresholds.find((each) => each.label === label);
    const verdict = threshold === undefined ? "" : `  ${threshold.isMet ? "at least" : "BELOW"} ${threshold.needed}`;
    const [, own] = rowsBefore[i] ?? [];
    const difference = own === undefined ? "" : `${value < own ? "" : "+"}${(value - own).toFixed(3)}`;
    const figures = own === undefined ? value.toFixed(3) : `${own.toFixed(3)}   ${value.toFixed(3)}  ${difference}`;
    return `${label.padEnd(width)}  ${figures}${verdict}${remark}\n`;
  });
  const heading = before === undefined ? "" : `${"".padEnd(width)}  before  with\n`;
  return `${heading}${described.join("")}`;
}

function describeMiss({ index, question, expected, found }: Miss, context: ReportContext, terminal: Terminal): string {
  const place = dim(`${oneLine(context.path)}:${context.lines[index]}`, terminal);
  const wanted = expected.map((each) => `    expected  ${describeExpected(each)}\n`);
  const instead = found.map((each) => `    found     ${describeFound(each)}\n`);
  const nothing = found.length === 0 ? "    found     nothing\n" : "";
  return `  ${place}  ${oneLine(question)}\n${wanted.join("")}${instead.join("")}${nothing}`;
}

function describeExpected({ id, lines, outcome, rank, score }: ExpectedOutcome): string {
  const ranges = lines.map(([start, stop]) => linesText(start, stop)).join(", ");
  const where: Readonly<Record<ExpectedOutcome["outcome"], string>> = {
    returned: `number ${rank}, ${score.toFixed(3)}`,
    afterLast: `number ${rank}, ${score.toFixed(3)}`,
    notReranked: `number ${rank} by words and vectors, ${score.toFixed(3)}`,
    beforeOffset: `number ${rank}, ${score.toFixed(3)}`,
    belowMinScore: `${score.toFixed(3)}, below the least score`,
    missed: `missed by the search, ${score.toFixed(3)}`,
    filtered: "dropped by a filter",
    belowFloor: "not found: too little in common with the question",
    noTerms: "not found: the question has not a single word",
    noText: "not found: it has no text",
    notIndexed: "not indexed yet",
    unknown: "UNKNOWN: the bot has no such document",
  };
  return `${oneLine(id)}${ranges === "" ? "" : `, ${ranges}`}: ${where[outcome]}`;
}

function describeFound({ id, score, start, stop, text }: FoundInstead): string {
  const quoted = [...oneLine(text)];
  const short = `${quoted.slice(0, TEXT_CHARACTERS_SHOWN).join("")}${quoted.length > TEXT_CHARACTERS_SHOWN ? "…" : ""}`;
  return `${oneLine(id)}, ${linesText(start, stop)}: ${score.toFixed(3)}  ${short}`;
}
