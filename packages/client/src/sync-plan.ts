import { LoredexError } from "./error.ts";
import type { Article, ArticleChanges, Metadata, MetadataValue, NewArticle } from "./types.ts";

/** A given article, with its identifying value. */
export interface Wanted {
  readonly value: MetadataValue;
  readonly article: NewArticle;
}

/** One change of a plan. */
export type PlannedStep =
  | { readonly action: "create"; readonly value: MetadataValue; readonly article: NewArticle }
  | { readonly action: "update"; readonly value: MetadataValue; readonly id: string; readonly changes: ArticleChanges }
  | { readonly action: "remove"; readonly value: MetadataValue; readonly id: string };

export interface Plan {
  /** In the order of execution: changes that free quota come first. */
  readonly steps: readonly PlannedStep[];
  /** Number of articles that are already equal. */
  readonly unchanged: number;
}

/** `7` and `"7"` are two values. */
const keyOf = (value: MetadataValue) => `${typeof value} ${value}`;

/**
 * Returns the articles with their identifying values.
 * @throws {LoredexError} if an article has no value under that key or an inexact number, lacks the common metadata, or shares its value with another: nothing
 * is sent then
 */
export function wantedBy(articles: readonly NewArticle[], by: string, where: Metadata): Wanted[] {
  const seen = new Set<string>();
  return articles.map((article) => {
    const value = own(article.metadata, by);
    if (value === undefined) {
      throw new LoredexError({ message: `"${article.title}" has no metadata "${by}", by which it could be found.` });
    }
    for (const [name, field] of Object.entries(article.metadata ?? {})) {
      if (isExact(field)) continue;
      const message = `The metadata ${name} = ${field} of "${article.title}" is too large for an exact number: give it as a string.`;
      throw new LoredexError({ message });
    }
    if (!hasAll(article.metadata, where)) {
      throw new LoredexError({ message: `The metadata of "${article.title}" lacks what "where" names.` });
    }
    if (seen.has(keyOf(value))) {
      throw new LoredexError({ message: `Two articles have the metadata ${by} = ${JSON.stringify(value)}.` });
    }
    seen.add(keyOf(value));
    return { value, article };
  });
}

/**
 * True if the service accepts the value. It refuses whole numbers beyond the safe integers, where several numbers are stored as one. A number with an exponent
 * is declared approximate.
 */
function isExact(value: MetadataValue): boolean {
  return typeof value !== "number" || Number.isSafeInteger(value) || !/^-?\d+$/.test(String(value));
}

export function hasAll(metadata: Metadata | null | undefined, where: Metadata): boolean {
  return Object.entries(where).every(([key, value]) => own(metadata, key) === value);
}

/** Returns the plan that turns `present` into `wanted`, without side effects. */
export function planSync(
  wanted: readonly Wanted[],
  present: readonly Article[],
  { by, remove, keep }: { readonly by: string; readonly remove: boolean; readonly keep: readonly MetadataValue[] },
): Plan {
  const found = new Map<string, Article>();
  const removals: PlannedStep[] = [];
  const kept = new Set([...keep, ...wanted.map(({ value }) => value)].map(keyOf));
  for (const article of present) {
    const value = own(article.metadata, by);
    if (value === undefined) continue;
    // A create without a search can duplicate an article: the oldest one stays.
    const isCopy = found.has(keyOf(value));
    if (!isCopy) found.set(keyOf(value), article);
    if (remove && (isCopy || !kept.has(keyOf(value)))) removals.push({ action: "remove", value, id: article.id });
  }
  const updates: PlannedStep[] = [];
  const creations: PlannedStep[] = [];
  let unchanged = 0;
  for (const { value, article } of wanted) {
    const old = found.get(keyOf(value));
    const changes = old === undefined ? {} : changesOf(old, article);
    if (old === undefined) creations.push({ action: "create", value, article });
    else if (Object.keys(changes).length > 0) updates.push({ action: "update", value, id: old.id, changes });
    else unchanged++;
  }
  return { steps: [...removals, ...updates, ...creations], unchanged };
}

/** Returns the given fields that differ. A field that is not given stays as it is. */
function changesOf(old: Article, { title, body, metadata, source, activeOn }: NewArticle): ArticleChanges {
  return {
    ...(title !== old.title && { title }),
    ...(body !== old.body && { body }),
    ...(metadata !== undefined && !equal(metadata ?? {}, old.metadata) && { metadata }),
    ...(source !== undefined && source !== (old.source ?? null) && { source }),
    ...(activeOn !== undefined && !equal(entries(activeOn ?? []), entries(old.activeOn)) && { activeOn }),
  };
}

/** An absent agent and `null` are the same. */
function entries(activeOn: Article["activeOn"]) {
  return activeOn.map(({ agent, channel }) => [agent ?? null, channel]);
}

function equal(one: object, other: object): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: object): unknown {
  return Array.isArray(value) ? value : Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

function own(metadata: Metadata | null | undefined, key: string): MetadataValue | undefined {
  return metadata !== null && metadata !== undefined && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}
