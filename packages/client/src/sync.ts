import type { ArticleCalls } from "./calls.ts";
import { ARTICLE_NOT_FOUND, LoredexError, SEVERAL_ARTICLES } from "./error.ts";
import { hasAll, type Plan, type PlannedStep, planSync, wantedBy } from "./sync-plan.ts";
import type { Article, Metadata, MetadataValue, NewArticle } from "./types.ts";

export interface SyncOptions {
  /** The key of metadata that tells articles apart, for example `externalId`. Each given article has a value of its own under it. */
  readonly by: string;
  /**
   * Metadata that all given articles have. Articles of the bot without it are left alone, so that several sources can share a bot, each
   * with its own. Default: none.
   */
  readonly where?: Metadata;
  /** Whether articles that have the key `by` and are not given are deleted. Default false. */
  readonly remove?: boolean;
  /** Values of articles that are not given and stay nevertheless, for example because their file could not be read. */
  readonly keep?: readonly MetadataValue[];
  /** Lets `remove` delete everything where nothing is given, which is mostly a mistake. Default false: it is refused. */
  readonly allowEmpty?: boolean;
  /** Only say what would be done. Default false. */
  readonly dryRun?: boolean;
  /** Told before each change. */
  readonly onProgress?: (step: SyncStep) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A change that comes next. */
export interface SyncStep {
  readonly action: "create" | "update" | "remove";
  /** What the article has under the key `by`. */
  readonly value: MetadataValue;
  /** How many changes have been tried before, and how many there are. */
  readonly done: number;
  readonly total: number;
}

/** An article that is not as it is to be. */
export interface SyncProblem {
  readonly action: SyncStep["action"];
  readonly value: MetadataValue;
  readonly error: LoredexError;
}

/** How many articles were changed, or with `dryRun` would be. */
export interface SyncOutcome {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly problems: readonly SyncProblem[];
}

/** So many articles at a time: the list is read as a whole anyway. */
const PAGE_ARTICLES = 500;

/**
 * @throws {LoredexError} if what is given cannot be synced, before anything is changed; or if going on makes no sense: a wrong key, a
 * server in trouble, a rate that would have to be waited for too long. Called again, it goes on where it stopped
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
    // The service compares values as they are written: 7 is "7" to it.
    if (hasAll(article.metadata, where)) present.push(article);
  }
  const plan = planSync(wanted, present, { by, remove, keep });
  if (articles.length + keep.length === 0 && plan.steps.length > 0 && !allowEmpty) {
    throw new LoredexError({
      message: `Nothing is given, and ${plan.steps.length} article(s) would be deleted. If they are to go, say allowEmpty.`,
    });
  }
  // With what sources that share a bot differ by: the same value of two sources names two articles.
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

/** What has been done in the end. */
async function make(step: PlannedStep, { client, keys, signal }: Means): Promise<SyncStep["action"]> {
  if (step.action === "create") {
    // Another sync may have created it since the list was read: that one is made equal then.
    const { isNew } = await client.upsertArticle(step.article, { by: keys, signal });
    return isNew ? "create" : "update";
  }
  if (step.action === "update") await client.updateArticle(step.id, step.changes, { signal });
  else await removeIfThere(step.id, client, signal);
  return step.action;
}

/** What somebody else has deleted meanwhile is as gone as it was to be. */
async function removeIfThere(id: string, client: ArticleCalls, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.deleteArticle(id, { signal });
  } catch (error) {
    if (!(error instanceof LoredexError && error.code === ARTICLE_NOT_FOUND)) throw error;
  }
}

/**
 * Whether the others may still succeed: broken rules (400), an article that is gone meanwhile (404), a request too large (413), a full
 * quota (422), copies that were made meanwhile (409), more characters than any minute admits (a 429 that names no time).
 */
function concernsOneArticle({ status = 0, code, retryAfterSeconds }: LoredexError): boolean {
  return (
    code === SEVERAL_ARTICLES ||
    [400, 404, 413, 422].includes(status) ||
    (status === 429 && retryAfterSeconds === undefined)
  );
}
