import type { ExpectedDocument, GoldenQuestion, Job, Run, RunMiss } from "./types.ts";

/** The run that a job made; undefined if it made none. */
export function runIdOf({ report }: Job): string | undefined {
  return typeof report === "string" ? report : undefined;
}

export interface Changed {
  readonly question: string;
  /** Undefined where the question was not missed. */
  readonly before: RunMiss | undefined;
  readonly after: RunMiss | undefined;
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
function placeOf(miss: RunMiss | undefined, { misses, missed }: Run): number | undefined {
  if (miss !== undefined) return KINDS.indexOf(miss.kind);
  return misses.length < missed ? undefined : KINDS.length;
}

/**
 * What a run says of each golden question: a run keeps the number of its questions and its misses, not the questions.
 * @param changed questions that were added or changed after the run, as far as the page knows
 */
export function outcomesOf(
  questions: readonly GoldenQuestion[],
  run: Run,
  changed: ReadonlySet<string>,
): readonly ("ok" | "missed" | "unknown" | "notRun")[] {
  const missed = new Set(run.misses.map(({ question }) => question));
  // Of more questions than the run asked, the last ones are new, if the others still stand where they stood.
  const isMoved =
    questions.length >= run.questions &&
    run.misses.some(
      ({ index, question }) =>
        questions[index]?.question !== question && !changed.has(questions[index]?.question ?? ""),
    );
  return questions.map(({ question }, index) => {
    if (changed.has(question)) return "notRun";
    if (missed.has(question)) return "missed";
    if (index >= run.questions) return "notRun";
    return isMoved || run.misses.length < run.missed ? "unknown" : "ok";
  });
}

/** `a, b:3-5` */
export function expectedText(expected: readonly ExpectedDocument[]): string {
  return expected
    .map(({ id, lines }) => (lines.length === 0 ? id : `${id}:${lines.map(rangeText).join("+")}`))
    .join(", ");
}

/** The inverse of {@link expectedText}. What a person cannot type, as gains, is kept from `before`. */
export function expectedFromText(text: string, before: readonly ExpectedDocument[]): readonly ExpectedDocument[] {
  const known = new Map(before.map((each) => [expectedText([each]), each]));
  return text
    .split(",")
    .flatMap((each) => each.trim() || [])
    .map((each) => known.get(each) ?? expectedDocument(each));
}

function expectedDocument(text: string): ExpectedDocument {
  const [, id = text, first, last] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return { id, gain: 1, lines: first === undefined ? [] : [[Number(first), Number(last ?? first)]] };
}

function rangeText([first, last]: ExpectedDocument["lines"][number]): string {
  return first === last ? String(first) : `${first}-${last}`;
}
