import { storeName } from "../catalog/store-names.ts";
import { decodeBotRecord } from "../log/record-codec.ts";
import { ARTICLES, articlesOf, DOCUMENTS, documentsOf } from "../log/state-sections.ts";
import { LoredexError, reasonOf } from "../model/errors.ts";
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

/** What could be taken out of a bot's store, and what could not. */
export interface Salvage {
  /** By id. */
  readonly documents: readonly StoredDocument[];
  /** Oldest first, ties by id. */
  readonly articles: readonly ArticleFields[];
  /**
   * Records that nothing whole tells of any more: neither the log, nor a section, nor the digest of a document out of a damaged one.
   * What they wrote is lost unless a later record wrote it again, and what they deleted may be back.
   */
  readonly lost: readonly LostRecords[];
  /** What is damaged, whether or not anything was lost by it. */
  readonly problems: readonly StoreProblem[];
  /** Ids of documents and articles that were read in a damaged place: letters of them may have changed, and nothing can tell. */
  readonly unchecked: readonly string[];
  /** Whether all documents and articles that the bot had are here, as they were. */
  readonly isComplete: boolean;
}

/** Takes out of a bot's store whatever is whole. The store must not be open; nothing in it is changed. */
export async function salvageBot(storage: StorageInspection, botId: string): Promise<Salvage> {
  const store = storeName(botId);
  const salvager = new Salvager(store);
  return salvager.result(await storage.salvage(store, salvager));
}

/** Throws `BOT_IS_WHOLE` if a bot could be opened after all, and what has kept it from that unless it is damage. */
export async function refuseIfWhole(opening: Promise<unknown>, name: string): Promise<void> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof LoredexError && error.code === "CORRUPT") return;
    throw error;
  }
  const message = `The bot ${name} can be opened and has all that it knows: nothing has to be salvaged. Use "loredex backup" or "loredex export".`;
  throw new LoredexError("BOT_IS_WHOLE", message);
}

/** What is left of a range of records without some of them, which are in order. */
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
 * Each kind of knowledge has its own base, since its section may come out of an older snapshot than the other's: the
 * section, and the records after it. Where that is not all, what can be read of damaged sections is added.
 */
class Salvager implements SalvageVisitor {
  readonly #store: string;
  readonly #articles = new Map<string, ArticleFields>();
  readonly #documents = new Map<string, StoredDocument>();
  /** The last record of each article and document, of what is whole. */
  readonly #records = new Map<string, number>();
  /** The last status of each document by the records, for those that only a damaged section holds. */
  readonly #statuses = new Map<string, { readonly sequence: number; readonly status: DocumentStatus }>();
  readonly #problems: StoreProblem[] = [];
  readonly #unchecked = new Set<string>();
  /** Records whose articles and documents are here as they wrote them, whether or not the records are. */
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
    const isNewArticle = sequence > this.#articlesBase;
    const isNewDocument = sequence > this.#documentsBase;
    switch (record.kind) {
      case "articlePut":
        if (isNewArticle) this.#put(this.#articles, record.article.id, record.article, sequence);
        return;
      case "articleDelete":
        if (isNewArticle) this.#put(this.#articles, record.id, undefined, sequence);
        return;
      case "documentPut":
      case "documentBrought":
        if (isNewDocument) this.#put(this.#documents, record.document.resourceDocId, record.document, sequence);
        return;
      case "documentDelete":
        if (isNewDocument) this.#put(this.#documents, record.id, undefined, sequence);
        return;
      case "documentStatus": {
        if (!isNewDocument) return;
        this.#statuses.set(record.id, { sequence, status: record.status });
        const known = this.#documents.get(record.id);
        if (known !== undefined) this.#documents.set(record.id, { ...known, status: record.status });
        return;
      }
      // Neither an article nor a document.
      case "documentOrigin":
      case "sourceArgument":
      case "sourceMove":
      case "sourceRemove":
      case "agentPut":
      case "agentDelete":
      case "channelPut":
      case "channelDelete":
      case "vectors":
        return;
      default:
        record satisfies never;
    }
  }

  #put<Item>(items: Map<string, Item>, id: string, item: Item | undefined, sequence: number): void {
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
   * With the status that a record after its text gives it. Where the section says another, and may have been written after that
   * record, nothing tells which is the later one.
   */
  #withStatus(entry: LeftOver<StoredDocument>, writtenAt: number | undefined): LeftOver<StoredDocument> {
    const { item, id, version, isChecked } = entry;
    const last = this.#statuses.get(id);
    if (last === undefined || last.sequence < version || last.status === item.status) return entry;
    const isLater = writtenAt !== undefined && last.sequence > writtenAt;
    return { ...entry, item: { ...item, status: last.status }, isChecked: isChecked && isLater };
  }

  /** Takes what a damaged section says unless something whole says it later, or says that it is gone. */
  #add<Item>(items: Map<string, Item>, { id, item, version, isChecked }: LeftOver<Item>, base: number): void {
    if (version <= Math.max(base, this.#records.get(id) ?? 0)) return;
    this.#put(items, id, item, version);
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

  /** Whether what is whole is known to be all. What is torn off the end of a damaged bot may have been acknowledged. */
  #isComplete(found: StoreSalvage): boolean {
    const { condition, logProblems } = found;
    if (this.#problems.length > 0 || condition.tornBytes > 0 || this.#lost(found).length > 0) return false;
    const isFromStart = this.#base > 0 || this.#hasFirstRecord || condition.problems.length === 0;
    const hasLog = condition.records > 0 || logProblems.length === 0;
    // What is missing between records is counted; of what came behind the last one nothing tells.
    const end = Math.max(this.#base, this.#lastRecord);
    return isFromStart && hasLog && logProblems.every(({ sequence }) => sequence <= end);
  }

  /** A checksum is right and what it vouches for cannot be read: a newer version wrote it, or a bug did. */
  #problem(sequence: number, error: unknown): void {
    const reason = reasonOf(error);
    this.#problems.push({ file: this.#store, offset: 0, sequence, reason });
  }
}
