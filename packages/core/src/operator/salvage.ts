import { storeName } from "../catalog/store-names.ts";
import { LoredexError, reasonOf } from "../domain/errors.ts";
import type { ArticleFields, BotRecord } from "../domain/records.ts";
import type { StoredDocument } from "../domain/types.ts";
import { decodeBotRecord } from "../state/record-codec.ts";
import { ARTICLES, articlesOf, DOCUMENTS, documentsOf } from "../state/state-sections.ts";
import type { LoadedSection, LostRecords, StorageInspection, StoreProblem } from "../storage/store.ts";

/** What could be taken out of a bot's store, and what could not. */
export interface Salvage {
  /** By id. */
  readonly documents: readonly StoredDocument[];
  /** Oldest first, ties by id. */
  readonly articles: readonly ArticleFields[];
  /**
   * Records that nothing whole tells of any more. What they wrote is lost unless a later record wrote it again, and what
   * they deleted may be back.
   */
  readonly lost: readonly LostRecords[];
  /** What is damaged, whether or not anything was lost by it. */
  readonly problems: readonly StoreProblem[];
}

/** Takes out of a bot's store whatever is whole. The store must not be open; nothing in it is changed. */
export async function salvageBot(storage: StorageInspection, botId: string): Promise<Salvage> {
  const store = storeName(botId);
  const salvager = new Salvager(store);
  const { missing, condition } = await storage.salvage(store, salvager);
  return salvager.result(missing, condition.problems);
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

/**
 * Each kind of knowledge has its own base, since its section may come out of an older snapshot than the other's: the
 * section, and the records after it.
 */
class Salvager {
  readonly #store: string;
  readonly #articles = new Map<string, ArticleFields>();
  readonly #documents = new Map<string, StoredDocument>();
  readonly #problems: StoreProblem[] = [];
  #articlesBase = 0;
  #documentsBase = 0;

  constructor(store: string) {
    this.#store = store;
  }

  section(section: LoadedSection, sequence: number): void {
    try {
      if (section.name === ARTICLES) {
        for (const { fields } of articlesOf(section)) this.#articles.set(fields.id, fields);
        this.#articlesBase = sequence;
      } else if (section.name === DOCUMENTS) {
        for (const { document } of documentsOf(section)) this.#documents.set(document.resourceDocId, document);
        this.#documentsBase = sequence;
      }
    } catch (error) {
      this.#problem(sequence, error);
    }
  }

  record(sequence: number, payload: Uint8Array): void {
    if (sequence <= Math.min(this.#articlesBase, this.#documentsBase)) return;
    try {
      this.#apply(sequence, decodeBotRecord(sequence, payload).record);
    } catch (error) {
      this.#problem(sequence, error);
    }
  }

  #apply(sequence: number, record: BotRecord): void {
    if (sequence > this.#articlesBase) {
      if (record.kind === "articlePut") this.#articles.set(record.article.id, record.article);
      else if (record.kind === "articleDelete") this.#articles.delete(record.id);
    }
    if (sequence > this.#documentsBase) {
      if (record.kind === "documentPut" || record.kind === "documentBrought")
        this.#documents.set(record.document.resourceDocId, record.document);
      else if (record.kind === "documentDelete") this.#documents.delete(record.id);
      else if (record.kind === "documentStatus") {
        const known = this.#documents.get(record.id);
        if (known !== undefined) this.#documents.set(record.id, { ...known, status: record.status });
      }
    }
  }

  result(missing: readonly LostRecords[], problems: readonly StoreProblem[]): Salvage {
    const base = Math.min(this.#articlesBase, this.#documentsBase);
    return {
      documents: [...this.#documents.values()].sort((a, b) => (a.resourceDocId < b.resourceDocId ? -1 : 1)),
      articles: [...this.#articles.values()].sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1)),
      lost: missing
        .filter(({ lastSequence }) => lastSequence > base)
        .map(({ firstSequence, lastSequence }) => ({ firstSequence: Math.max(firstSequence, base + 1), lastSequence })),
      problems: [...problems, ...this.#problems],
    };
  }

  /** A checksum is right and what it vouches for cannot be read: a newer version wrote it, or a bug did. */
  #problem(sequence: number, error: unknown): void {
    const reason = reasonOf(error);
    this.#problems.push({ file: this.#store, offset: 0, sequence, reason });
  }
}
