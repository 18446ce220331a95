import type { ArticleCalls } from "./calls.ts";
import { ARTICLE_NOT_FOUND, LoredexError, SEVERAL_ARTICLES } from "./error.ts";
import { hasAll, type Plan, type PlannedStep, planSync, wantedBy } from "./sync-plan.ts";
import type { Article, Metadata, MetadataValue, NewArticle } from "./types.ts";

export interface SyncOptions {
  /** The metadata key that identifies articles, for example `externalId`. Each given article has its own value under it. */
  readonly by: string;
  /**
   * Metadata that all given articles have. Articles of the bot without it are never touched, so that several sources can share a bot, each with its own.
   * Default: none.
   */
  readonly where?: Metadata;
  /** True to delete articles that have the key `by` and are not given. Default false. */
  readonly remove?: boolean;
  /** Values of articles that stay although they are not given, for example because their file could not be read. */
  readonly keep?: readonly MetadataValue[];
  /** Lets `remove` delete everything if no article is given, which is usually a mistake. Default false: it is refused. */
  readonly allowEmpty?: boolean;
  /** Only report what would be done. Default false. */
  readonly dryRun?: boolean;
  /** Called before each change. */
  readonly onProgress?: (step: SyncStep) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The next change. */
export interface SyncStep {
  readonly action: "create" | "update" | "remove";
  /** The article's value under the key `by`. */
  readonly value: MetadataValue;
  /** Number of changes tried before, and of all changes. */
  readonly done: number;
  readonly total: number;
}

/** An article whose change failed. */
export interface SyncProblem {
  readonly action: SyncStep["action"];
  readonly value: MetadataValue;
  readonly error: LoredexError;
}

/** Numbers of articles that were changed, or with `dryRun` would be. */
export interface SyncOutcome {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly problems: readonly SyncProblem[];
}

/** Articles of one page: the list is read as a whole anyway. */
const PAGE_ARTICLES = 500;

/**
 * Makes the bot's articles equal to the given ones. A repeated call continues where it stopped.
 * @throws {LoredexError} if the given articles cannot be synced, before anything is changed. Also if continuing is useless: a wrong key, a server in trouble,
 * or a rate limit with too long a wait
 */
export async function syncArticles(
  client: ArticleCalls,
  articles: readonly NewArticle[],
  options: SyncOptions,
): Promise<SyncOutcome> {
  const { by, where = {}, remove = false, keep = [], allowEmpty = false, dryRun = false, onProgress, signal } = options;
  const wanted = wantedBy(articles, by, where);
  const present: Article[] = [];
  for await (const article of client.listArticles({ metadata: where }, { pageSize: PAGE_ARTICLES, signal })) {
    // The service compares values as text: 7 equals "7" there.
    if (hasAll(article.metadata, where)) present.push(article);
  }
  const plan = planSync(wanted, present, { by, remove, keep });
  if (articles.length + keep.length === 0 && plan.steps.length > 0 && !allowEmpty) {
    throw new LoredexError({
      message: `Nothing is given, and ${plan.steps.length} article(s) would be deleted. If they are to go, say allowEmpty.`,
    });
  }
  // Includes the keys by which sources of a shared bot differ: the same value of two sources names two articles.
  const keys = [...new Set([by, ...Object.keys(where)])];
  return carryOut(plan, { client, keys, dryRun, onProgress, signal });
}

interface Means {
  readonly client: ArticleCalls;
  readonly keys: readonly string[];
  readonly dryRun: boolean;
  readonly onProgress: SyncOptions["onProgress"];
  readonly signal: AbortSignal | undefined;
}

async function carryOut({ steps, unchanged }: Plan, means: Means): Promise<SyncOutcome> {
  const { dryRun, onProgress } = means;
  const counts = { create: 0, update: 0, remove: 0 };
  const problems: SyncProblem[] = [];
  for (const [done, step] of steps.entries()) {
    const { action, value } = step;
    onProgress?.({ action, value, done, total: steps.length });
    try {
      counts[dryRun ? action : await make(step, means)]++;
    } catch (error) {
      if (!(error instanceof LoredexError) || !concernsOneArticle(error)) throw error;
      problems.push({ action, value, error });
    }
  }
  return { created: counts.create, updated: counts.update, removed: counts.remove, unchanged, problems };
}

/** Makes a change, and returns what was done. */
async function make(step: PlannedStep, { client, keys, signal }: Means): Promise<SyncStep["action"]> {
  if (step.action === "create") {
    // Another sync may have created it since the list was read: then that one is updated.
    const { isNew } = await client.upsertArticle(step.article, { by: keys, signal });
    return isNew ? "create" : "update";
  }
  if (step.action === "update") await client.updateArticle(step.id, step.changes, { signal });
  else await removeIfThere(step.id, client, signal);
  return step.action;
}

/** Deletes an article. An article that another program has deleted meanwhile is no error. */
async function removeIfThere(id: string, client: ArticleCalls, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.deleteArticle(id, { signal });
  } catch (error) {
    if (!(error instanceof LoredexError && error.code === ARTICLE_NOT_FOUND)) throw error;
  }
}

/**
 * True if the other changes may still succeed. These errors concern one article: broken rules (400), an article deleted meanwhile (404), a request too large
 * (413), and a full quota (422). So do copies made meanwhile (409), and more characters than any minute permits (a 429 without a time).
 */
function concernsOneArticle({ status = 0, code, retryAfterSeconds }: LoredexError): boolean {
  return (
    code === SEVERAL_ARTICLES ||
    [400, 404, 413, 422].includes(status) ||
    (status === 429 && retryAfterSeconds === undefined)
  );
}
