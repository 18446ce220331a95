import type { VersionedArticle } from "../log/article-table.ts";
import type { Commits, Reservation, WriteMemory } from "../log/commits.ts";
import { growthBetween } from "../log/growth.ts";
import { PendingWrites } from "../log/pending-writes.ts";
import { kindOf } from "../log/record-kinds.ts";
import type { RememberedCreate } from "../log/remembered-creates.ts";
import { searchableArticle } from "../log/searchable.ts";
import type { BotState } from "../log/state.ts";
import { articleBytes } from "../model/article-bytes.ts";
import type { ArticleSize, BotLimits } from "../model/bot-limits.ts";
import { characterCount } from "../model/characters.ts";
import type { Tags } from "../model/entity-tags.ts";
import { LoredexError } from "../model/errors.ts";
import { ARTICLE_ID_CHARACTERS_MAX } from "../model/limits.ts";
import type { ArticleFields, BotRecord, Charge, CreateKey } from "../model/records.ts";
import type { ArticleChangeOptions, ArticleCreateOptions, ArticleKeys, SearchableDocument } from "../model/types.ts";
import { own, Violations } from "../model/validation.ts";
import type { Clock } from "../platform/clock.ts";
import { ArticleAccounts, type Judgement, type RateUsed } from "../quotas/article-accounts.ts";
import type { WindowClock } from "../quotas/window-clock.ts";
import { checkIdempotencyKey, draftDigest, keyDigest } from "./idempotency.ts";
import type { IdMaker } from "./identifier.ts";
import {
  ANY_METADATA,
  type ArticleChanges,
  type ArticleDraft,
  type IsKept,
  isStrict,
  parseArticle,
  parseArticleChanges,
  type Registered,
} from "./shape.ts";
import { holds, tagsOf } from "./tag.ts";
import { changedArticle, sameMetadata } from "./update.ts";
import { requireMetadata, severalArticles, type Wanted } from "./upsert-keys.ts";
import { articleView } from "./view.ts";

/** Dependencies of {@link ArticleWrites}. */
export interface ArticleWritesDeps {
  readonly state: BotState;
  readonly limits: () => BotLimits;
  readonly clock: Clock;
  readonly windowClock: Pick<WindowClock, "nowMs">;
  readonly ids: IdMaker;
  readonly memory?: WriteMemory | undefined;
}

/** A durable write of an article. */
export interface WrittenArticle {
  readonly article: ArticleFields;
  /** Code points of all articles, right after this write. */
  readonly characterUsed: number;
  /** The answer of an earlier create with the same key is repeated. */
  readonly isReplayed?: true;
}

/** The outcome that a write would have now. */
export interface ForeseenArticle {
  readonly article: ArticleFields;
  /** The article as the index would see it. */
  readonly document: SearchableDocument;
  /** Characters that it would add to the rate window. */
  readonly charge: number;
  readonly characterLeft: number;
  /** Milliseconds until the rates admit it; undefined if they never do. */
  readonly waitMs: number | undefined;
}

interface PutOptions extends Pick<ArticleCreateOptions, "withoutRate"> {
  readonly create?: CreateKey;
}

/**
 * Creates, updates and deletes articles. Invariant: nothing is awaited between the decision on a write and its append.
 * Waits come before the decision. A create with an idempotency key waits for a create with the same key.
 * An upsert waits for writes in flight of the articles that it may find.
 */
export class ArticleWrites {
  readonly #deps: ArticleWritesDeps;
  readonly #commits: Commits;
  readonly #articles = new PendingWrites<ArticleFields>();
  readonly #accounts: ArticleAccounts;
  #lastCreatedAtMs: number;
  /** Creates in flight with an idempotency key, by the digest of the key. They never reject. */
  readonly #creating = new Map<string, Promise<void>>();
  readonly #registered: Registered;

  constructor(deps: ArticleWritesDeps, commits: Commits) {
    const { articles, agents, channels } = deps.state;
    this.#deps = deps;
    this.#commits = commits;
    const { state, limits } = deps;
    this.#accounts = new ArticleAccounts({
      limits,
      used: () => ({ characters: state.characterUsed, bytes: articles.bytes }),
      durable: (id) => durableSize(articles.get(id)),
      windows: { characters: state.window, bytes: state.byteWindow },
    });
    this.#lastCreatedAtMs = deps.state.lastCreatedAtMs;
    this.#registered = {
      agent: (name) => agents.get(name) === true,
      channel: (name) => channels.get(name) === true,
    };
  }

  /** Creates an article. @throws ValidationError, an error of quota or rate, LoredexError `BOT_FULL`, `OUT_OF_MEMORY`, `IDEMPOTENCY_KEY_REUSED` */
  async create(input: unknown, options: ArticleCreateOptions = {}): Promise<WrittenArticle> {
    const { idempotencyKey, withoutRate = false } = options;
    if (idempotencyKey === undefined) return this.#create(parseArticle(input, this.#registered), { withoutRate });
    return this.#commits.accept(this.#createOnce(input, idempotencyKey, withoutRate));
  }

  /** Updates an article that matches `ifMatch`. @throws as {@link create}, LoredexError `ARTICLE_NOT_FOUND`, `ARTICLE_CHANGED` */
  async update(id: string, input: unknown, { ifMatch }: ArticleChangeOptions = {}): Promise<WrittenArticle> {
    const old = this.newest(id) ?? (await this.#articles.refuse(id, notFound(id)));
    const violations = new Violations();
    const tags = tagsOf(ifMatch, violations);
    const changes = violations.gather(() => parseArticleChanges(input, keptOf(old)));
    if (changes === undefined) return violations.throwIfAny() as never;
    violations.throwIfAny();
    if (!isMatched(old, tags)) await this.#articles.refuse(id, changed(id));
    const article = changedArticle(old, changes, this.#wallMs());
    if (article !== old) return this.#put(article, old);
    // Nothing changes, but the newest version must be durable before the caller is answered.
    await this.#articles.whenDurable(id);
    return { article, characterUsed: this.#deps.state.characterUsed };
  }

  /** Deletes an article that matches `ifMatch`. @throws ValidationError, LoredexError `ARTICLE_NOT_FOUND`, `ARTICLE_CHANGED` */
  async delete(id: string, { ifMatch }: ArticleChangeOptions = {}): Promise<void> {
    const old = this.newest(id) ?? (await this.#articles.refuse(id, notFound(id)));
    const violations = new Violations();
    const tags = tagsOf(ifMatch, violations);
    violations.throwIfAny();
    if (!isMatched(old, tags)) await this.#articles.refuse(id, changed(id));
    await this.#commits.commit({ kind: "articleDelete", id }, { reserve: () => this.#reserve(id, undefined) });
  }

  /** Updates the one article that has the input's metadata values under the keys `by`, or creates it. @throws LoredexError `SEVERAL_ARTICLES` */
  upsert(by: ArticleKeys, input: unknown): Promise<WrittenArticle & { readonly isNew: boolean }> {
    return this.#commits.accept(this.#upsert(by, input));
  }

  /** The outcome of a create, or of an update if the input has an `id`. Writes nothing. */
  foresee(input: unknown): ForeseenArticle {
    const violations = new Violations();
    const { id = null, ...fields } = violations.object("body", input) ?? {};
    violations.throwIfAny();
    if (id === null) return this.#foreseen(this.#newArticle(parseArticle(fields, this.#registered), ""), undefined);
    const name = violations.string("id", id, { max: ARTICLE_ID_CHARACTERS_MAX });
    if (name === undefined) violations.gather(() => parseArticleChanges(fields));
    violations.throwIfAny();
    const old = this.newest(name ?? "");
    if (old === undefined) throw notFound(name ?? "");
    return this.#foreseen(changedArticle(old, parseArticleChanges(fields, keptOf(old)), this.#wallMs()), old);
  }

  /** The newest version, in flight or durable. */
  newest(id: string): ArticleFields | undefined {
    return this.#articles.newest(id, this.#deps.state.articles.get(id)?.fields);
  }

  /** Counts the charge of a record that another node has appended. */
  countOthers(record: BotRecord): void {
    const charged = kindOf(record).charged?.(record);
    if (charged !== undefined) this.#accounts.count(charged.size, charged.charge);
  }

  /** The writes of articles that are not durable yet. */
  get pending(): Pick<PendingWrites<ArticleFields>, "isInFlight" | "whenDurable"> {
    return this.#articles;
  }

  /** Characters and bytes admitted in the last 60 seconds, and when the window of the characters is empty. */
  rateUsed(): RateUsed {
    return this.#accounts.rateUsed(this.#deps.windowClock.nowMs());
  }

  #create(draft: ArticleDraft, how: PutOptions): Promise<WrittenArticle> {
    this.#lastCreatedAtMs = this.#createdNowMs();
    return this.#put(this.#newArticle(draft, this.#deps.ids.next()), undefined, how);
  }

  /** Creates an article, or repeats the answer of a create with the same key and body. @throws LoredexError `IDEMPOTENCY_KEY_REUSED` */
  async #createOnce(input: unknown, idempotencyKey: string, withoutRate: boolean): Promise<WrittenArticle> {
    const key = keyDigest(idempotencyKey);
    for (let before = this.#creating.get(key); before !== undefined; before = this.#creating.get(key)) await before;
    const violations = new Violations();
    checkIdempotencyKey(idempotencyKey, violations);
    const known = this.#deps.state.creates.find(key, this.#createdNowMs());
    // A create that was accepted once is not refused because an agent was removed since.
    const same = known === undefined ? undefined : sameAsBefore(known, input, this.#deps.state);
    if (same !== undefined) return same;
    const draft = violations.gather(() => parseArticle(input, this.#registered));
    if (draft === undefined) return violations.throwIfAny() as never;
    violations.throwIfAny();
    if (known !== undefined) throw new LoredexError("IDEMPOTENCY_KEY_REUSED", KEY_REUSED);
    const create = { key, body: draftDigest(draft, isStrict(input)) };
    const created = this.#create(draft, { create, withoutRate });
    const settled = created.then(
      () => undefined,
      () => undefined,
    );
    this.#creating.set(
      key,
      settled.then(() => void this.#creating.delete(key)),
    );
    return created;
  }

  async #upsert(by: ArticleKeys, input: unknown): Promise<WrittenArticle & { readonly isNew: boolean }> {
    const wanted = requireMetadata(by, input);
    for (;;) {
      const ids = this.#withMetadata(wanted);
      const unsettled = ids.find((id) => this.#articles.isInFlight(id));
      if (unsettled !== undefined) {
        // Whether the article exists is known when its write is durable or has failed.
        await this.#articles.whenDurable(unsettled).catch(() => undefined);
        continue;
      }
      const [id, ...more] = ids;
      if (more.length > 0) throw new LoredexError("SEVERAL_ARTICLES", severalArticles(ids.length, wanted));
      const written = id === undefined ? this.create(input) : this.update(id, input);
      return { ...(await written), isNew: id === undefined };
    }
  }

  /** Ids of the articles that have all these values in their durable or their newest version. */
  #withMetadata([first, ...more]: Wanted): string[] {
    const wanted = [first, ...more];
    const has = (fields: ArticleFields | undefined): boolean =>
      fields !== undefined && wanted.every(([key, value]) => own(fields.metadata, key) === value);
    const ids = new Set<string>();
    const [by, value] = first;
    for (const { fields } of this.#deps.state.articles.withMetadata(by, String(value))) {
      if (has(fields)) ids.add(fields.id);
    }
    for (const [id, fields] of this.#articles.inFlight()) if (has(fields)) ids.add(id);
    return [...ids];
  }

  async #put(article: ArticleFields, old: ArticleFields | undefined, how: PutOptions = {}): Promise<WrittenArticle> {
    const { create, withoutRate = false } = how;
    const growth = growthBetween(old, article);
    this.#deps.memory?.require(growth);
    const judged = this.#judged(article, old);
    const charge = withoutRate ? { ...judged.charge, characters: 0 } : judged.charge;
    judged.requireQuota();
    if (!withoutRate) judged.requireRate();
    const record = { kind: "articlePut", article, charge, ...(create === undefined ? {} : { create }) } as const;
    const isNew = old === undefined;
    const characterUsed = await this.#commits.commit(record, {
      isNew,
      growth,
      reserve: () => this.#reserve(article.id, article, charge),
    });
    return { article, characterUsed };
  }

  #foreseen(article: ArticleFields, old: ArticleFields | undefined): ForeseenArticle {
    const { quotaCharacters } = this.#deps.limits();
    const { charge, used, growth, waitMs } = this.#judged(article, old);
    const { characters } = charge;
    const before = old?.characterCount ?? 0;
    const after = characters > 0 ? used + growth : used + article.characterCount - before;
    return {
      article,
      document: searchableArticle(article),
      charge: characters,
      characterLeft: quotaCharacters - after,
      waitMs,
    };
  }

  /** Judges a version by quotas and rates, now. */
  #judged(article: ArticleFields, old: ArticleFields | undefined): Judgement {
    return this.#accounts.judge(article.id, sizeOf(article), sizeOf(old), this.#deps.windowClock.nowMs());
  }

  /** Reserves quota for a version, counts its charge, and makes it the version that the next write is decided on. */
  #reserve(id: string, article: ArticleFields | undefined, charge?: Charge): Reservation {
    const giveBack = this.#accounts.reserve(id, sizeOf(article), charge);
    return { version: this.#articles.add(id, article), giveBack };
  }

  #newArticle(draft: ArticleDraft, id: string): ArticleFields {
    return newArticle(draft, id, this.#createdNowMs());
  }

  /** The `createdAt` of an article that is created now: never before another one, on whatever node that was created. */
  #createdNowMs(): number {
    return Math.max(this.#lastCreatedAtMs, this.#deps.state.lastCreatedAtMs, this.#wallMs());
  }

  #wallMs(): number {
    return Math.floor(this.#deps.clock.wallMs());
  }
}

function notFound(id: string): LoredexError {
  return new LoredexError("ARTICLE_NOT_FOUND", `There is no article with the id ${id}.`);
}

const NOTHING: ArticleSize = { characters: 0, bytes: 0 };

function sizeOf(article: ArticleFields | undefined): ArticleSize {
  return article === undefined ? NOTHING : { characters: article.characterCount, bytes: articleBytes(article) };
}

function durableSize(known: VersionedArticle | undefined): ArticleSize {
  return known === undefined ? NOTHING : { characters: known.fields.characterCount, bytes: known.bytes };
}

function newArticle(draft: ArticleDraft, id: string, nowMs: number): ArticleFields {
  const characters = characterCount(draft.title) + characterCount(draft.body);
  return { id, ...draft, createdAtMs: nowMs, updatedAtMs: nowMs, characterCount: characters };
}

/** The answer of the earlier create, if the input is the same; undefined otherwise. */
function sameAsBefore(
  known: RememberedCreate,
  input: unknown,
  { articles }: Pick<BotState, "articles">,
): WrittenArticle | undefined {
  const draft = new Violations().gather(() => parseArticle(input, ANY_NAME, ANY_METADATA));
  if (draft === undefined || draftDigest(draft, isStrict(input)) !== known.body) return undefined;
  const told = newArticle(draft, known.id, known.createdAtMs);
  // The same metadata may come in another order now, and the article's tag depends on the stored order.
  const stored = articles.get(known.id)?.fields;
  // A copy, so that the answer has the status of the first answer, and not the article's status of now.
  const article = stored !== undefined && isAsCreated(stored, told) ? { ...stored } : told;
  return { article, characterUsed: known.characterUsed, isReplayed: true };
}

/** Whether the article is unchanged since it was created. */
function isAsCreated(stored: ArticleFields, told: ArticleFields): boolean {
  const { title, body, metadata, source = null, activeOn, createdAtMs } = told;
  if (stored.updatedAtMs !== createdAtMs) return false;
  const changes = { title, body, metadata, source, activeOn } satisfies Record<keyof ArticleChanges, unknown>;
  return changedArticle(stored, changes, createdAtMs) === stored;
}

/** Accepts the metadata that the article has already, even if it exceeds the maximum. */
function keptOf({ metadata }: ArticleFields): IsKept {
  return (given) => sameMetadata(given, metadata);
}

const ANY_NAME: Registered = { agent: () => true, channel: () => true };

function isMatched(fields: ArticleFields, tags: Tags | undefined): boolean {
  return tags === undefined || holds(tags, articleView(fields, "active"));
}

function changed(id: string): LoredexError {
  return new LoredexError("ARTICLE_CHANGED", `The article ${id} is not as it was when its tag was given.`);
}

const KEY_REUSED = "This idempotency key was used with another body. Send the body of then, or make up a new key.";
