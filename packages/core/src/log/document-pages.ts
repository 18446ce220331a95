import type { DocumentPage, DocumentPageRequest, DocumentRow, DocumentSort } from "../model/document-page.ts";
import {
  DOCUMENT_OFFSET_MAX,
  DOCUMENT_SEARCH_CHARACTERS_MAX,
  PAGE_DOCUMENTS_MAX,
  SORTED_IDS_MAX,
} from "../model/limits.ts";
import { DOCUMENT_SORTS, DOCUMENT_STATES, DOCUMENT_TYPES, PAGE_DOCUMENTS_DEFAULT } from "../model/options.ts";
import { Violations } from "../model/validation.ts";
import { LruMap } from "../platform/lru-map.ts";
import { sortedInSlices } from "../scheduling/sorted.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import { placeOrder, type SortPlace, titleKey } from "./article-order.ts";
import type { VersionedArticle } from "./article-table.ts";
import type { VersionedDocument } from "./document-table.ts";
import { documentTextUnits } from "./heap-of-documents.ts";
import { documentTitle } from "./searchable.ts";
import type { BotState } from "./state.ts";

/** Documents that are checked between two yields. */
const SLICE_DOCUMENTS = 256;

type Listed = VersionedArticle | VersionedDocument;

/** Dependencies of {@link DocumentPages}. */
export interface DocumentPagesDeps {
  readonly state: BotState;
  /** The version of a document that searches see; undefined if they see none. */
  readonly searchable: (id: string) => number | undefined;
}

/**
 * One list of a bot's articles and imported documents, in pages.
 * The sorted ids of a list are kept until the bot changes, so that the next page is not sorted again: at most {@link SORTED_IDS_MAX} of all lists.
 */
export class DocumentPages {
  readonly #deps: DocumentPagesDeps;
  /** By order and filter. All are of one moment: {@link #sequence}. */
  readonly #sorted = new LruMap<string, readonly string[]>(SORTED_IDS_MAX);
  #sequence = -1;

  constructor(deps: DocumentPagesDeps) {
    this.#deps = deps;
  }

  /** A page, as sliced work. O(n log n) for the first page of a list, O(limit) for others. @throws ValidationError */
  *page(request: DocumentPageRequest): Sliced<DocumentPage> {
    const { offset = 0, limit = PAGE_DOCUMENTS_DEFAULT, ...list } = checked(request);
    const key = JSON.stringify([list.sort, list.type, list.status, list.search]);
    const ids = this.#kept(key) ?? (yield* this.#listed(key, list));
    // Documents that were removed while the list was made are left out.
    const rows = ids.slice(offset, offset + limit).flatMap((id) => this.#rowOf(id) ?? []);
    return { rows, total: ids.length };
  }

  #kept(key: string): readonly string[] | undefined {
    const { sequence } = this.#deps.state;
    if (sequence !== this.#sequence) this.#sorted.clear();
    this.#sequence = sequence;
    return this.#sorted.get(key);
  }

  *#listed(key: string, request: DocumentPageRequest): Sliced<readonly string[]> {
    const { articles, documents } = this.#deps.state;
    const { sort = "updatedAt:desc", status } = request;
    const sequence = this.#sequence;
    const all: Listed[] = [];
    for (const run of articles.byAge()) {
      all.push(...run);
      yield;
    }
    // The table may change at each yield: a document that was removed and imported again meanwhile is listed once, as it is now.
    const renewed = new Map<string, VersionedDocument>();
    const isByTime = sort.startsWith("updatedAt:");
    let [read, isDated] = [0, true];
    for (const [id, document] of documents) {
      all.push(document);
      if (document.version > sequence) renewed.set(id, document);
      if (document.updatedAtMs === undefined) isDated = false;
      read += 1;
      if (read % SLICE_DOCUMENTS === 0) yield;
    }
    const keyOf = this.#keyOf(sort, isByTime && !isDated ? yield* assumedTimes(all) : new Map());
    const wanted = this.#wanted(request);
    const places: Placed[] = [];
    // The index changes without the bot: a list by status is kept only if all articles are indexed.
    let isLasting = true;
    const isByStatus = status !== undefined || sort.startsWith("status:");
    yield* inPortions(all.length, SLICE_DOCUMENTS, (from, to) => {
      for (const listed of all.slice(from, to)) {
        if ((renewed.get(idOf(listed)) ?? listed) !== listed) continue;
        if (isByStatus && isLasting && this.#stateOf(listed) === "uploading") isLasting = false;
        if (wanted(listed)) places.push({ key: keyOf(listed), id: idOf(listed), rank: isByTime ? rankOf(listed) : 0 });
      }
    });
    const sorted = yield* sortedInSlices(places, rankedOrder(sort));
    const ids = sorted.map(({ id }) => id);
    if (sequence === this.#sequence && isLasting) this.#sorted.set(key, ids, ids.length);
    return ids;
  }

  #wanted({ type, status, search }: DocumentPageRequest): (listed: Listed) => boolean {
    const part = search?.toLowerCase();
    const has = (text: string | undefined): boolean =>
      part !== undefined && text?.toLowerCase().includes(part) === true;
    return (listed) =>
      (type === undefined || typeOf(listed) === type) &&
      (status === undefined || this.#stateOf(listed) === status) &&
      (part === undefined ||
        has(titleOf(listed)) ||
        has(idOf(listed)) ||
        has(urlOf(listed)) ||
        has(this.#sourceOf(listed)));
  }

  #keyOf(sort: DocumentSort, assumed: ReadonlyMap<Listed, number>): (listed: Listed) => SortPlace["key"] {
    const [by] = sort.split(":");
    switch (by) {
      case "title":
        return (listed) => titleKey(titleOf(listed) ?? idOf(listed));
      case "characters":
        return charactersOf;
      case "type":
        return typeOf;
      case "status":
        return (listed) => this.#stateOf(listed);
      default:
        return (listed) => updatedAtMsOf(listed) ?? assumed.get(listed) ?? Number.NEGATIVE_INFINITY;
    }
  }

  #stateOf(listed: Listed): DocumentRow["status"] {
    if ("document" in listed) return listed.document.status;
    return (this.#deps.searchable(listed.fields.id) ?? -1) >= listed.version ? "active" : "uploading";
  }

  #sourceOf(listed: Listed): string | undefined {
    return "document" in listed ? this.#deps.state.sources.origin(listed.origin)?.source : undefined;
  }

  #rowOf(id: string): DocumentRow | undefined {
    const { articles, documents } = this.#deps.state;
    const listed = articles.get(id) ?? documents.get(id);
    if (listed === undefined) return undefined;
    const [title, url, source] = [titleOf(listed), urlOf(listed), this.#sourceOf(listed)];
    const updatedAtMs = updatedAtMsOf(listed);
    return {
      id,
      type: typeOf(listed),
      status: this.#stateOf(listed),
      ...(title === undefined ? {} : { title }),
      ...(url === undefined ? {} : { url }),
      ...(source === undefined ? {} : { source }),
      characters: charactersOf(listed),
      ...(updatedAtMs === undefined ? {} : { updatedAt: new Date(updatedAtMs).toISOString() }),
      isArticle: "fields" in listed,
    };
  }
}

/** @throws ValidationError naming every broken rule */
function checked(request: DocumentPageRequest): DocumentPageRequest {
  const violations = new Violations();
  const { offset, limit, sort, type, status, search } = request;
  const isInteger = true;
  if (offset !== undefined) violations.number("offset", offset, { min: 0, max: DOCUMENT_OFFSET_MAX, isInteger });
  if (limit !== undefined) violations.number("limit", limit, { min: 1, max: PAGE_DOCUMENTS_MAX, isInteger });
  if (sort !== undefined) violations.oneOf("sort", sort, DOCUMENT_SORTS);
  if (type !== undefined) violations.oneOf("type", type, DOCUMENT_TYPES);
  if (status !== undefined) violations.oneOf("status", status, DOCUMENT_STATES);
  if (search !== undefined) violations.string("search", search, { min: 1, max: DOCUMENT_SEARCH_CHARACTERS_MAX });
  violations.throwIfAny();
  return request;
}

function idOf(listed: Listed): string {
  return "fields" in listed ? listed.fields.id : listed.document.resourceDocId;
}

function typeOf(listed: Listed): DocumentRow["type"] {
  return "fields" in listed ? "EXTERNAL" : listed.document.type;
}

function titleOf(listed: Listed): string | undefined {
  return "fields" in listed ? listed.fields.title : documentTitle(listed.document);
}

function urlOf(listed: Listed): string | undefined {
  return "fields" in listed ? (listed.fields.source ?? undefined) : listed.document.url;
}

/** The time of the last change, which rows show and by which they are sorted. Undefined for documents that versions before these times imported. */
function updatedAtMsOf(listed: Listed): number | undefined {
  return "fields" in listed ? listed.fields.updatedAtMs : listed.updatedAtMs;
}

/**
 * Times by which documents without one are sorted: the greatest time of what was written before, in the order of sequence numbers.
 * A change of metadata or status brings a time without a sequence number. So no such time is later than the times of what was written after.
 */
function* assumedTimes(all: readonly Listed[]): Sliced<ReadonlyMap<Listed, number>> {
  const written = yield* sortedInSlices(all, (a, b) => a.version - b.version);
  const { length } = written;
  const assumed = new Map<Listed, number>();
  let [before, after] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  yield* inPortions(length, SLICE_DOCUMENTS, (from, to) => {
    for (const listed of written.slice(from, to)) {
      const time = updatedAtMsOf(listed);
      if (time === undefined) assumed.set(listed, before);
      else before = Math.max(before, time);
    }
  });
  yield* inPortions(length, SLICE_DOCUMENTS, (from, to) => {
    for (const listed of written.slice(length - to, length - from).reverse()) {
      const time = updatedAtMsOf(listed);
      if (time === undefined) assumed.set(listed, Math.min(assumed.get(listed) ?? after, after));
      else after = Math.min(after, time);
    }
  });
  return assumed;
}

/** A row's place. Rows with the same key are in the order of their ranks, and then of their ids. */
interface Placed extends SortPlace {
  readonly rank: number;
}

/** A document without a time is directly above the newest of what was written before it. */
function rankOf(listed: Listed): number {
  return updatedAtMsOf(listed) === undefined ? listed.version : 0;
}

function rankedOrder(sort: DocumentSort): (a: Placed, b: Placed) => number {
  const [order, sign] = [placeOrder(sort), sort.endsWith(":desc") ? -1 : 1];
  return (a, b) => (a.key === b.key && a.rank !== b.rank ? sign * (a.rank - b.rank) : order(a, b));
}

function charactersOf(listed: Listed): number {
  return "fields" in listed ? listed.fields.characterCount : documentTextUnits(listed.document);
}
