import type { Golden, GoldenAnswer, Job, Lines, Miss, Run } from "./types.ts";

/** The run that a job made; undefined if it made none. */
export function runIdOf({ report }: Job): string | undefined {
  return typeof report === "string" ? report : undefined;
}

export interface Changed {
  readonly question: string;
  /** Undefined where the question was not missed. */
  readonly before: Miss | undefined;
  readonly after: Miss | undefined;
}

/** The kinds of misses from the worst to the best, as the engine compares them. */
const KINDS = ["unknownDocument", "notFound", "notFirst", "wrongLines"];

/** Questions that a later run answers better or worse than an earlier one, by the engine's rule: `Insights.compareRuns`. */
export function comparedRuns(earlier: Run, later: Run): { better: readonly Changed[]; worse: readonly Changed[] } {
  const before = new Map(earlier.misses.map((miss) => [miss.question, miss]));
  const after = new Map(later.misses.map((miss) => [miss.question, miss]));
  const better: Changed[] = [];
  const worse: Changed[] = [];
  for (const question of new Set([...before.keys(), ...after.keys()])) {
    const change = { question, before: before.get(question), after: after.get(question) };
    const [was, is] = [placeOf(change.before, earlier), placeOf(change.after, later)];
    if (was === undefined || is === undefined || was === is) continue;
    (is > was ? better : worse).push(change);
  }
  return { better, worse };
}

/** Higher is better. Undefined if the outcome is unknown: the run lost some of its misses. */
function placeOf(miss: Miss | undefined, { misses, missed }: Run): number | undefined {
  if (miss !== undefined) return KINDS.indexOf(miss.kind);
  return misses.length < missed ? undefined : KINDS.length;
}

/** The expected documents of a golden question, in its long form. */
export function expectedOf(golden: Golden): readonly GoldenAnswer[] {
  const { expected, id, lines, gain } = golden;
  if (id !== undefined) return [{ id, ...(lines !== undefined && { lines }), ...(gain !== undefined && { gain }) }];
  const all = expected === undefined ? [] : Array.isArray(expected) ? expected : [expected];
  return all.map((each: string | GoldenAnswer) => (typeof each === "string" ? { id: each } : withoutDefaults(each)));
}

/** The server fills defaults in: any line, and a gain of 1. */
function withoutDefaults({ id, lines, gain }: GoldenAnswer): GoldenAnswer {
  const isAnyLine = lines === undefined || (typeof lines !== "number" && lines.length === 0);
  return { id, ...(!isAnyLine && { lines }), ...(gain !== undefined && gain !== 1 && { gain }) };
}

/** `a, b:3-5` */
export function expectedText(answers: readonly GoldenAnswer[]): string {
  return answers.map(({ id, lines }) => (lines === undefined ? id : `${id}:${linesText(lines)}`)).join(", ");
}

/** The inverse of {@link expectedText}. What a person cannot type, as gains, is kept from `before`. */
export function expectedFromText(text: string, before: readonly GoldenAnswer[]): readonly GoldenAnswer[] {
  const known = new Map(before.map((answer) => [expectedText([answer]), answer]));
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => known.get(each) ?? answerOf(each));
}

function answerOf(text: string): GoldenAnswer {
  const [, id = text, first, last] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (first === undefined) return { id };
  return { id, lines: [Number(first), Number(last ?? first)] };
}

function linesText(lines: Lines): string {
  if (typeof lines === "number") return String(lines);
  const [first, last] = lines;
  if (typeof first === "number") return first === last ? String(first) : `${first}-${last}`;
  return (lines as readonly (readonly [number, number])[]).map(([from, to]) => `${from}-${to}`).join("+");
}
