import { GAP_EXAMPLES_MAX, GAP_GROUPS_MAX, GAP_QUESTIONS_MAX } from "../model/limits.ts";
import { sortedInSlices } from "../scheduling/sorted.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { LoggedQuestion } from "./insights-state.ts";
import { HEAD_UNITS, type KnowledgeView, ReadUnits, titleOf } from "./knowledge-view.ts";
import { dot, questionVectors } from "./question-vectors.ts";
import type { Gap } from "./types.ts";

/** What decides which questions of a log are gaps. */
export interface GapsOf {
  /** The questions of the log, oldest first. */
  readonly questions: readonly LoggedQuestion[];
  readonly belowScore: number;
  /** Wall clock, milliseconds since the epoch. */
  readonly nowMs: number;
}

/** A different question that was asked once or more, with all that was asked alike. */
interface AskedAlike {
  readonly question: string;
  count: number;
  countWeek: number;
  countBefore: number;
  unhelpful: number;
  /** The sum of what its answers lacked, each from 0 to 1. */
  missing: number;
  bestScore: number;
  nearest: string | undefined;
  lastAtMs: number;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Groups the questions that found little by meaning, worst first: by the sum over a group of 1 − best score. An answer that was said not to help counts as
 * if nothing was found. The same log gives the same groups.
 *
 * A single pass: the most frequent question comes first, and each joins the nearest group if that is near enough, or begins one. O(questions · groups),
 * both bounded by `GAP_QUESTIONS_MAX` and `GAP_GROUPS_MAX`.
 */
export function* gapsOf(of: GapsOf, view: KnowledgeView): Sliced<Gap[]> {
  const alike = yield* askedAlike(of);
  const { vectors, nearFrom } = yield* questionVectors(
    alike.map(({ question }) => question),
    view,
  );
  const groups: Group[] = [];
  for (const [at, asked] of alike.entries()) {
    const vector = vectors[at];
    if (vector === undefined) continue;
    const near = nearest(groups, vector, nearFrom);
    if (near !== undefined) near.add(asked, vector);
    else if (groups.length < GAP_GROUPS_MAX) groups.push(new Group(asked, vector));
    yield;
  }
  const gaps: { readonly missing: number; readonly gap: Gap }[] = [];
  for (const group of groups) {
    gaps.push({ missing: group.missing, gap: group.gap(view) });
    yield;
  }
  gaps.sort((a, b) => b.missing - a.missing || byText(a.gap.question, b.gap.question));
  return gaps.map(({ gap }) => gap);
}

function* askedAlike({ questions, belowScore, nowMs }: GapsOf): Sliced<AskedAlike[]> {
  const alike = new Map<string, AskedAlike>();
  const read = new ReadUnits();
  for (const logged of questions) {
    if (read.shouldYield(HEAD_UNITS + logged.question.length)) yield;
    const isUnhelpful = logged.feedback?.helpful === false;
    if (logged.score >= belowScore && logged.nearest !== undefined && !isUnhelpful) continue;
    const key = logged.question.toLowerCase().replace(NOT_IN_WORDS, " ").trim();
    const known = alike.get(key) ?? firstOf(logged.question);
    alike.set(key, known);
    count(known, logged, nowMs);
  }
  const sorted = yield* sortedInSlices(
    [...alike.values()],
    (a, b) => b.count - a.count || b.lastAtMs - a.lastAtMs || byText(a.question, b.question),
  );
  return sorted.slice(0, GAP_QUESTIONS_MAX);
}

/** What questions that differ in it have in common all the same: `Refund?` and `refund`. */
const NOT_IN_WORDS = /[\s.,;:!?¿¡"'“”„()]+/gu;

function firstOf(question: string): AskedAlike {
  const counts = { count: 0, countWeek: 0, countBefore: 0, unhelpful: 0, missing: 0 };
  return { question, ...counts, bestScore: 0, nearest: undefined, lastAtMs: 0 };
}

function count(known: AskedAlike, { atMs, score, nearest: found, feedback }: LoggedQuestion, nowMs: number): void {
  const isUnhelpful = feedback?.helpful === false;
  known.count += 1;
  if (atMs > nowMs - WEEK_MS) known.countWeek += 1;
  else if (atMs > nowMs - 2 * WEEK_MS) known.countBefore += 1;
  if (isUnhelpful) known.unhelpful += 1;
  known.missing += isUnhelpful ? 1 : 1 - score;
  known.lastAtMs = Math.max(known.lastAtMs, atMs);
  if (found !== undefined && (known.nearest === undefined || score > known.bestScore))
    [known.nearest, known.bestScore] = [found, score];
}

/** Questions that mean about the same. */
class Group {
  readonly #all: { readonly asked: AskedAlike; readonly vector: Float32Array }[] = [];
  /** The sum of the vectors of its questions. */
  readonly #sum: Float32Array;
  /** The sum of squares of what each question has alone: its vector lacks so much of length one. */
  #alone = 0;
  #length = 0;

  constructor(asked: AskedAlike, vector: Float32Array) {
    this.#sum = new Float32Array(vector.length);
    this.add(asked, vector);
  }

  add(asked: AskedAlike, vector: Float32Array): void {
    this.#all.push({ asked, vector });
    for (let at = 0; at < vector.length; at++) this.#sum[at] = (this.#sum[at] ?? 0) + (vector[at] ?? 0);
    this.#alone += Math.max(0, 1 - dot(vector, vector));
    this.#length = Math.sqrt(dot(this.#sum, this.#sum) + this.#alone);
  }

  /** The cosine of a vector and the mean of its questions. */
  cosine(vector: Float32Array): number {
    return this.#length === 0 ? 0 : dot(this.#sum, vector) / this.#length;
  }

  /** What the answers to its questions lacked in all. */
  get missing(): number {
    return this.#all.reduce((sum, { asked }) => sum + asked.missing, 0);
  }

  gap(view: KnowledgeView): Gap {
    const all = this.#all.map(({ asked }) => asked);
    const total = (of: (asked: AskedAlike) => number): number => all.reduce((sum, asked) => sum + of(asked), 0);
    const { question } = this.#typical();
    const best = all.reduce((a, b) => (b.nearest !== undefined && b.bestScore > a.bestScore ? b : a));
    const title = best.nearest === undefined ? undefined : titleOf(view, best.nearest);
    const others = all.map((asked) => asked.question).filter((other) => other !== question);
    return {
      question,
      count: total((asked) => asked.count),
      countWeek: total((asked) => asked.countWeek),
      countBefore: total((asked) => asked.countBefore),
      unhelpful: total((asked) => asked.unhelpful),
      bestScore: best.bestScore,
      examples: others.slice(0, GAP_EXAMPLES_MAX),
      ...(best.nearest === undefined
        ? {}
        : { nearest: { id: best.nearest, ...(title === undefined ? {} : { title }), score: best.bestScore } }),
      lastAskedAt: new Date(Math.max(...all.map(({ lastAtMs }) => lastAtMs))).toISOString(),
    };
  }

  /** The question that is nearest to the mean of all; of equally near ones the one that was added first. */
  #typical(): AskedAlike {
    const cosines = this.#all.map(({ asked, vector }) => ({ asked, cosine: this.cosine(vector) }));
    return cosines.reduce((a, b) => (b.cosine > a.cosine + EQUAL ? b : a)).asked;
  }
}

/** Cosines that differ by less are equal: sums in another order differ in their last bits. */
const EQUAL = 1e-6;

function nearest(groups: readonly Group[], vector: Float32Array, nearFrom: number): Group | undefined {
  let [best, most]: [Group | undefined, number] = [undefined, nearFrom];
  for (const group of groups) {
    const cosine = group.cosine(vector);
    if (cosine >= most) [best, most] = [group, cosine];
  }
  return best;
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
