import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";

/** A pattern of questions as terms. */
export interface QuestionPattern {
  /** Terms that stand together. Between two runs there may be any terms. */
  readonly runs: readonly (readonly string[])[];
  /** Whether any terms may stand before the first run, and after the last. */
  readonly isOpenBefore: boolean;
  readonly isOpenAfter: boolean;
}

const ANY_WORDS = "*";

/** Compiles a pattern such as `how do I return *`. Undefined if it has no term: it would fit every question. */
export function compilePattern(
  pattern: string,
  termsOf: (text: string) => readonly string[],
): QuestionPattern | undefined {
  const parts = pattern.split(ANY_WORDS).map(termsOf);
  const runs = parts.filter(hasTerms);
  if (runs.length === 0) return undefined;
  // A part without a term is punctuation beside a `*`, and no part of the question.
  return { runs, isOpenBefore: !hasTerms(parts[0]), isOpenAfter: !hasTerms(parts.at(-1)) };
}

function hasTerms(part: readonly string[] = []): boolean {
  return part.length > 0;
}

/** Whether a question fits a pattern. Takes each run at its first place after the one before, and the last run of a closed pattern at the end. */
export function* fits(
  { runs, isOpenBefore, isOpenAfter }: QuestionPattern,
  terms: readonly string[],
  meter: OperationMeter,
): Sliced<boolean> {
  let from = 0;
  for (const [i, run] of runs.entries()) {
    const isAtStart = i === 0 && !isOpenBefore;
    const isAtEnd = i === runs.length - 1 && !isOpenAfter;
    const last = terms.length - run.length;
    let at = isAtEnd && !isAtStart ? Math.max(from, last) : from;
    const end = isAtStart ? from : last;
    while (at <= end && !standsAt(run, terms, at)) {
      at += 1;
      if (meter.shouldYield(run.length)) yield;
    }
    if (at > end || (isAtEnd && at !== last)) return false;
    from = at + run.length;
  }
  return true;
}

function standsAt(run: readonly string[], terms: readonly string[], at: number): boolean {
  return run.every((term, i) => terms[at + i] === term);
}
