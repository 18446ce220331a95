import { storeName } from "../catalog/store-names.ts";
import { decodeBotRecord } from "../log/record-codec.ts";
import { kindOf, type Version } from "../log/record-kinds.ts";
import { ARTICLES, articlesOf, DOCUMENTS, documentsOf } from "../log/state-sections.ts";
import { type ErrorCode, LoredexError, reasonOf } from "../model/errors.ts";
import type { ArticleFields, BotRecord } from "../model/records.ts";
import type { DocumentStatus, StoredDocument } from "../model/types.ts";
import type {
  DamagedSection,
  LoadedSection,
  LostRecords,
  SalvageVisitor,
  StorageInspection,
  StoreProblem,
  StoreSalvage,
} from "../storage/store.ts";
import { articlesLeftIn, documentsLeftIn, type LeftOver } from "./damaged-sections.ts";

/** The result of salvaging a bot's store: readable knowledge, losses and problems. */
export interface Salvage {
  /** Sorted by id. */
  readonly documents: readonly StoredDocument[];
  /** Oldest first, ties by id. */
  readonly articles: readonly ArticleFields[];
  /**
   * Lost records: neither the log, nor a section, nor the digest of a document in a damaged section covers them.
   * Their writes are lost unless a later record repeated them. Articles and documents that they deleted may be present again.
   */
  readonly lost: readonly LostRecords[];
  /** All damage, whether or not it lost anything. */
  readonly problems: readonly StoreProblem[];
  /** Ids of documents and articles from damaged sections that cannot be verified: their text may have changed. */
  readonly unchecked: readonly string[];
  /** Whether all documents and articles of the bot are included, undamaged. */
  readonly isComplete: boolean;
}

/** Reads everything that is whole of a bot's store. The store must be closed. Nothing in it is changed. */
export async function salvageBot(storage: StorageInspection, botId: string): Promise<Salvage> {
  const store = storeName(botId);
  const salvager = new Salvager(store);
  return salvager.result(await storage.salvage(store, salvager));
}

/** Errors of a bot that may be salvaged. A defect may show each time that the bot is opened. */
const SALVAGED: ReadonlySet<ErrorCode> = new Set(["CORRUPT", "BOT_QUARANTINED"]);

/** Throws `BOT_IS_WHOLE` if a bot can be opened, and the error of the opening if it is no damage. Returns for a damaged bot. */
export async function refuseIfWhole(opening: Promise<unknown>, name: string): Promise<void> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof LoredexError && SALVAGED.has(error.code)) return;
    throw error;
  }
  const message = `The bot ${name} can be opened and has all that it knows: nothing has to be salvaged. Use "loredex backup" or "loredex export".`;
  throw new LoredexError("BOT_IS_WHOLE", message);
}

/** The rest of a range of records without the records `told`, which are sorted. */
function* without({ firstSequence, lastSequence }: LostRecords, told: readonly number[]): Generator<LostRecords> {
  let next = firstSequence;
  for (const sequence of told) {
    if (sequence < next || sequence > lastSequence) continue;
    if (sequence > next) yield { firstSequence: next, lastSequence: sequence - 1 };
    next = sequence + 1;
  }
  if (next <= lastSequence) yield { firstSequence: next, lastSequence };
}

/**
 * Collects the articles and documents of a store. Each of the two kinds begins with its newest whole section, which may be of another snapshot
 * than the other's, and applies the records after it. If that is not complete, entries of damaged sections are added.
 */
class Salvager implements SalvageVisitor {
  readonly #store: string;
  readonly #articles = new Map<string, ArticleFields>();
  readonly #documents = new Map<string, StoredDocument>();
  /** Sequence number of the last record of each article and document. */
  readonly #records = new Map<string, number>();
  /** The last status record of each document, for documents that only a damaged section holds. */
  readonly #statuses = new Map<string, { readonly sequence: number; readonly status: DocumentStatus }>();
  readonly #problems: StoreProblem[] = [];
  readonly #unchecked = new Set<string>();
  /** Records whose article or document is included as they wrote it, even if the record itself is lost. */
  readonly #told = new Set<number>();
  #hasFirstRecord = false;
  #lastRecord = 0;
  #articlesBase = 0;
  #documentsBase = 0;

  constructor(store: string) {
    this.#store = store;
  }

  section(section: LoadedSection, sequence: number): void {
    try {
      if (section.name === ARTICLES) {
        for (const { fields, version } of articlesOf(section)) {
          this.#articles.set(fields.id, fields);
          this.#records.set(fields.id, version);
          this.#told.add(version);
        }
        this.#articlesBase = sequence;
      } else if (section.name === DOCUMENTS) {
        for (const { document, version } of documentsOf(section)) {
          this.#documents.set(document.resourceDocId, document);
          this.#records.set(document.resourceDocId, version);
          this.#told.add(version);
        }
        this.#documentsBase = sequence;
      }
    } catch (error) {
      this.#problem(sequence, error);
    }
  }

  record(sequence: number, payload: Uint8Array): void {
    this.#hasFirstRecord ||= sequence === 1;
    this.#lastRecord = sequence;
    if (sequence <= Math.min(this.#articlesBase, this.#documentsBase)) return;
    try {
      this.#apply(sequence, decodeBotRecord(sequence, payload).record);
    } catch (error) {
      this.#problem(sequence, error);
    }
  }

  #apply(sequence: number, record: BotRecord): void {
    const { holds } = kindOf(record);
    if (holds === undefined || sequence <= (holds.of === "articles" ? this.#articlesBase : this.#documentsBase)) return;
    if (holds.of === "articles") this.#put(this.#articles, holds.read(record), sequence);
    else if (holds.of === "documents") this.#put(this.#documents, holds.read(record), sequence);
    else {
      const { id, status } = holds.read(record);
      this.#statuses.set(id, { sequence, status });
      const known = this.#documents.get(id);
      if (known !== undefined) this.#documents.set(id, { ...known, status });
    }
  }

  #put<Item>(items: Map<string, Item>, { id, item }: Version<Item>, sequence: number): void {
    this.#records.set(id, sequence);
    if (item === undefined) items.delete(id);
    else items.set(id, item);
  }

  async damaged(sections: readonly DamagedSection[], found: StoreSalvage): Promise<void> {
    if (this.#isComplete(found)) return;
    for (const section of sections) {
      if (section.name === ARTICLES) {
        for (const entry of articlesLeftIn(await section.read())) this.#add(this.#articles, entry, this.#articlesBase);
      } else if (section.name === DOCUMENTS) {
        const entries = documentsLeftIn(await section.read());
        for (const entry of entries) {
          this.#add(this.#documents, this.#withStatus(entry, section.sequence), this.#documentsBase);
        }
      }
    }
  }

  /**
   * Applies the last status record of a document, if it is later than the document's text. If the section has another status, and may have
   * been written after that record, it is unknown which is the later one. The document counts as unchecked then.
   */
  #withStatus(entry: LeftOver<StoredDocument>, writtenAt: number | undefined): LeftOver<StoredDocument> {
    const { item, id, version, isChecked } = entry;
    const last = this.#statuses.get(id);
    if (last === undefined || last.sequence < version || last.status === item.status) return entry;
    const isLater = writtenAt !== undefined && last.sequence > writtenAt;
    return { ...entry, item: { ...item, status: last.status }, isChecked: isChecked && isLater };
  }

  /** Adds an entry of a damaged section, unless a later record or a whole section replaces or deletes it. */
  #add<Item>(items: Map<string, Item>, { id, item, version, isChecked }: LeftOver<Item>, base: number): void {
    if (version <= Math.max(base, this.#records.get(id) ?? 0)) return;
    this.#put(items, { id, item }, version);
    if (isChecked) {
      this.#unchecked.delete(id);
      this.#told.add(version);
    } else this.#unchecked.add(id);
  }

  result(found: StoreSalvage): Salvage {
    return {
      documents: [...this.#documents.values()].sort((a, b) => (a.resourceDocId < b.resourceDocId ? -1 : 1)),
      articles: [...this.#articles.values()].sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1)),
      lost: this.#lost(found),
      problems: [...found.condition.problems, ...this.#problems],
      unchecked: [...this.#unchecked].sort(),
      isComplete: this.#isComplete(found) && this.#unchecked.size === 0,
    };
  }

  #lost({ missing }: StoreSalvage): LostRecords[] {
    const base = this.#base;
    const told = [...this.#told].sort((a, b) => a - b);
    return missing
      .filter(({ lastSequence }) => lastSequence > base)
      .map(({ firstSequence, lastSequence }) => ({ firstSequence: Math.max(firstSequence, base + 1), lastSequence }))
      .flatMap((records) => [...without(records, told)]);
  }

  get #base(): number {
    return Math.min(this.#articlesBase, this.#documentsBase);
  }

  /** Whether the whole data is known to be complete. A torn tail of a damaged bot may have been acknowledged. */
  #isComplete(found: StoreSalvage): boolean {
    const { condition, logProblems } = found;
    if (this.#problems.length > 0 || condition.tornBytes > 0 || this.#lost(found).length > 0) return false;
    const isFromStart = this.#base > 0 || this.#hasFirstRecord || condition.problems.length === 0;
    const hasLog = condition.records > 0 || logProblems.length === 0;
    // Gaps between records are counted. Records behind the last one are unknown.
    const end = Math.max(this.#base, this.#lastRecord);
    return isFromStart && hasLog && logProblems.every(({ sequence }) => sequence <= end);
  }

  /** Adds a problem of bytes with a right checksum that cannot be decoded: a newer version wrote them, or a bug. */
  #problem(sequence: number, error: unknown): void {
    const reason = reasonOf(error);
    this.#problems.push({ file: this.#store, offset: 0, sequence, reason });
  }
}
