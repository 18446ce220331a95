import { LoredexError } from "./error.ts";
import type { Article, ArticleChanges, Metadata, MetadataValue, NewArticle } from "./types.ts";

/** An article that is to be in the bot, and what it is found by. */
export interface Wanted {
  readonly value: MetadataValue;
  readonly article: NewArticle;
}

/** One thing to do. */
export type PlannedStep =
  | { readonly action: "create"; readonly value: MetadataValue; readonly article: NewArticle }
  | { readonly action: "update"; readonly value: MetadataValue; readonly id: string; readonly changes: ArticleChanges }
  | { readonly action: "remove"; readonly value: MetadataValue; readonly id: string };

export interface Plan {
  /** In the order in which they are done: what frees quota comes first. */
  readonly steps: readonly PlannedStep[];
  /** How many articles are as they are to be. */
  readonly unchanged: number;
}

/** `7` and `"7"` are two values. */
const keyOf = (value: MetadataValue) => `${typeof value} ${value}`;

/**
 * What the articles are found by.
 * @throws {LoredexError} if one has nothing under that key or a number that is not exact, lacks what all have in common, or two have the same: nothing is sent then
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

/** Whether the service takes it: it refuses whole numbers that others are kept as, too. With an exponent a number says itself that it is near enough. */
function isExact(value: MetadataValue): boolean {
  return typeof value !== "number" || Number.isSafeInteger(value) || !/^-?\d+$/.test(String(value));
}

export function hasAll(metadata: Metadata | null | undefined, where: Metadata): boolean {
  return Object.entries(where).every(([key, value]) => own(metadata, key) === value);
}

/** What has to be done so that `present` becomes `wanted`: two lists in, a plan out. */
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
    // Whoever creates without looking can create an article twice: the oldest stays.
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

/** The given fields that differ. A field that is not given stays as it is. */
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
