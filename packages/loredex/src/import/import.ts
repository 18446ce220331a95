import { type ContentDocumentInput, type ImportOutcome, LoredexError } from "@loredex/core";
import type { Operator } from "../operator/operator.ts";
import { InFlight } from "./in-flight.ts";
import { readSource, sourceName } from "./sources.ts";

const IN_FLIGHT = { countMax: 32, bytesMax: 64 * 1_048_576 };

/** A report keeps this many problems; all are told while they happen, and counted. */
const PROBLEMS_KEPT_MAX = 1_000;

export interface ImportReport {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  /** By `sync`: documents that the same argument brought before and no longer holds. */
  readonly removed: number;
  /** Files of other kinds in folders. */
  readonly passedOver: number;
  /** Lines, files and folders that could not be taken. */
  readonly refused: number;
  /** What was wrong with them: the first 1,000. */
  readonly problems: readonly ImportProblem[];
  /** Arguments for which `sync` removed nothing, since they were not read whole. */
  readonly notSynced: readonly string[];
}

export interface ImportProblem {
  /** File, and where it is known, `:line`. */
  readonly place: string;
  readonly message: string;
}

export interface ImportSourcesOptions {
  /** Of markdown files; a line of .jsonl says its own. */
  readonly type: ContentDocumentInput["type"];
  /** Remove what an argument brought before and no longer holds; nothing is removed for one that was not read whole. */
  readonly sync: boolean;
  /** Told after each document how many are durable. */
  readonly onProgress: (done: number) => void;
  readonly onProblem: (problem: ImportProblem) => void;
}

/**
 * Imports files and folders into a bot. A bad line or file is reported, and the rest goes in. What it brought is durable
 * when it resolves, and searchable some time later.
 * @throws LoredexError what keeps any document from going in, for example `DISK_FULL`
 */
export async function importSources(
  operator: Operator,
  bot: string,
  paths: readonly string[],
  options: ImportSourcesOptions,
): Promise<ImportReport> {
  const running = new Import(operator, bot, options);
  for (const path of paths) await running.take(path);
  return running.report();
}

class Import {
  readonly #operator: Operator;
  readonly #bot: string;
  readonly #options: ImportSourcesOptions;
  readonly #outcomes: Record<ImportOutcome, number> = { added: 0, replaced: 0, unchanged: 0 };
  readonly #problems: ImportProblem[] = [];
  readonly #notSynced: string[] = [];
  readonly #inFlight = new InFlight(IN_FLIGHT);
  #removed = 0;
  #passedOver = 0;
  #refused = 0;
  /** What keeps all documents from going in. */
  #failure: { readonly error: unknown } | undefined;

  constructor(operator: Operator, bot: string, options: ImportSourcesOptions) {
    this.#operator = operator;
    this.#bot = bot;
    this.#options = options;
  }

  async take(argument: string): Promise<void> {
    const source = sourceName(argument);
    const refusedBefore = this.#refused;
    const held = new Set<string>();
    for await (const item of readSource(argument, this.#options.type)) {
      if (item.kind === "problem") this.#refuse(item.place, item.message);
      else if (item.kind === "passedOver") this.#passedOver += 1;
      else {
        const id = idOf(item.document);
        if (id !== undefined && this.#options.sync) held.add(id);
        await this.#inFlight.start(id, item.bytes, () => this.#put(item.document, item.place, source));
      }
      if (this.#failure !== undefined) break;
    }
    await this.#settled();
    if (!this.#options.sync) return;
    if (this.#refused === refusedBefore) await this.#removeOthers(source, held);
    else this.#notSynced.push(argument);
  }

  report(): ImportReport {
    const counts = { removed: this.#removed, passedOver: this.#passedOver, refused: this.#refused };
    return { ...this.#outcomes, ...counts, problems: this.#problems, notSynced: this.#notSynced };
  }

  async #put(document: unknown, place: string, source: string): Promise<void> {
    try {
      this.#outcomes[await this.#operator.importDocument(this.#bot, document, source)] += 1;
      const { added, replaced, unchanged } = this.#outcomes;
      this.#options.onProgress(added + replaced + unchanged);
    } catch (error) {
      if (error instanceof LoredexError && error.code === "VALIDATION") this.#refuse(place, error.message);
      else this.#failure ??= { error };
    }
  }

  async #removeOthers(source: string, held: ReadonlySet<string>): Promise<void> {
    for (const id of await this.#operator.documentsOfSource(this.#bot, source)) {
      if (!held.has(id)) await this.#inFlight.start(id, 0, () => this.#remove(id));
      if (this.#failure !== undefined) break;
    }
    await this.#settled();
  }

  async #remove(id: string): Promise<void> {
    try {
      await this.#operator.removeDocument(this.#bot, id);
      this.#removed += 1;
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof LoredexError && error.code === "DOCUMENT_NOT_FOUND")) this.#failure ??= { error };
    }
  }

  async #settled(): Promise<void> {
    await this.#inFlight.whenEmpty();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #refuse(place: string, message: string): void {
    this.#refused += 1;
    const problem = { place, message };
    if (this.#problems.length < PROBLEMS_KEPT_MAX) this.#problems.push(problem);
    this.#options.onProblem(problem);
  }
}

function idOf(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || !("resourceDocId" in document)) return undefined;
  return typeof document.resourceDocId === "string" ? document.resourceDocId : undefined;
}
