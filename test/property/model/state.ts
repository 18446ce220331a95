/** The plainest service that could be right: arrays, and sums over them. The real one must agree with it after every step. */

import type { ActiveOn, ArticleWrite, Metadata } from "@loredex/core";

export interface ModelArticle {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** A word that stands in this version's body and nowhere else. */
  readonly word: string;
  readonly metadata: Metadata;
  readonly source: string | undefined;
  readonly activeOn: readonly ActiveOn[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Model {
  articles: ModelArticle[];
  quota: number;
  rate: number;
  /** Milliseconds since the model began. */
  now: number;
  /** Every character ever admitted, with its time. */
  readonly admitted: { readonly at: number; readonly characters: number }[];
  /** Words of versions that are gone. */
  readonly gone: string[];
  /** What was created with each idempotency key, and when. */
  readonly keys: Map<number, { readonly at: number; readonly input: object; readonly answer: ArticleWrite }>;
  words: number;
}

export const newModel = (quota: number, rate: number): Model => ({
  articles: [],
  quota,
  rate,
  now: 0,
  admitted: [],
  gone: [],
  keys: new Map(),
  words: 0,
});

export const sizeOf = ({ title, body }: { title: string; body: string }): number =>
  [...title].length + [...body].length;

export const usedOf = (model: Model): number => model.articles.reduce((sum, article) => sum + sizeOf(article), 0);

const WINDOW_MS = 60_000;

/** Characters admitted in the 60 seconds that end at `at`. */
export function windowAt(model: Model, at: number): number {
  return model.admitted.reduce(
    (sum, write) => (write.at > at - WINDOW_MS && write.at <= at ? sum + write.characters : sum),
    0,
  );
}

/** Whole seconds from now until the window is empty. */
export function resetSeconds(model: Model): number {
  const last = model.admitted.reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
  return Math.max(0, Math.ceil((last + WINDOW_MS - model.now) / 1_000));
}

/** Bytes of all articles: their texts, sources, metadata and activeOn, and 100 for each. */
export function bytesOf(model: Model): number {
  const texts = ({ title, body, source = "", metadata, activeOn }: ModelArticle): string =>
    title + body + source + JSON.stringify(metadata) + JSON.stringify(activeOn);
  return model.articles.reduce((sum, article) => sum + Buffer.byteLength(texts(article)) + 100, 0);
}

/** What a write gets that turns an article of `before` characters (0: a new one) into one of `after`. */
export type Verdict =
  | { readonly kind: "accepted"; readonly characterUsed: number }
  | { readonly kind: "quota"; readonly excess: number; readonly used: number }
  | { readonly kind: "rate"; readonly retryAfterMs: number | undefined };

export function judge(model: Model, before: number, after: number): Verdict {
  const used = usedOf(model);
  const added = Math.max(0, after - before);
  const total = used - before + after;
  if (added > 0 && total > model.quota) return { kind: "quota", excess: total - model.quota, used };
  if (added > 0 && windowAt(model, model.now) + added > model.rate) {
    if (added > model.rate) return { kind: "rate", retryAfterMs: undefined };
    // The window only changes when a write leaves it.
    const moments = model.admitted.map(({ at }) => at + WINDOW_MS).filter((moment) => moment > model.now);
    const free = moments.filter((moment) => windowAt(model, moment) + added <= model.rate);
    return { kind: "rate", retryAfterMs: Math.min(...free) - model.now };
  }
  return { kind: "accepted", characterUsed: total };
}

export function admit(model: Model, before: number, after: number): void {
  if (after > before) model.admitted.push({ at: model.now, characters: after - before });
}

/** A body of so many characters (at least what its word needs) that has the word. */
export const bodyOf = (word: string, size: number): string =>
  `${word}\n\n${"😀 ".repeat(size).slice(0, 3 * size)}`.toWellFormed().trimEnd();

export function pick(model: Model, at: number): ModelArticle | undefined {
  return model.articles.length === 0 ? undefined : model.articles[at % model.articles.length];
}

/** A word of letters that no analyzer takes apart, and that no other version has. */
export function newWord(model: Model): string {
  model.words += 1;
  const letters = "bdfgklmnprtvxz";
  let word = "q";
  // Far from every other: a word that is a letter or two away from one that is there would be taken for it.
  for (let state = model.words, i = 0; i < 6; i++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    word += `${letters[(state >>> 7) % letters.length]}o`;
  }
  return `${word}k`;
}
