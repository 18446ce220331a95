import type { ContentDocumentInput, ImportOutcome } from "@loredex/core";
import { LoredexError } from "@loredex/core";
import type { Operator } from "../operator/operator.ts";
import { readSource, sourceName } from "./sources.ts";

/** Documents on their way at once: enough for the disk to take many with one flush. */
const IN_FLIGHT_MAX = 32;

export interface ImportReport {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  /** By `sync`: documents that the same argument brought before and no longer holds. */
  readonly removed: number;
  /** Files of other kinds in folders. */
  readonly passedOver: number;
  readonly problems: readonly ImportProblem[];
}

export interface ImportProblem {
  /** File, and where it is known, `:line`. */
  readonly place: string;
  readonly message: string;
}

export interface ImportOptions {
  /** Of markdown files; a line of .jsonl says its own. */
  readonly type: ContentDocumentInput["type"];
  /** Remove what an argument brought before and no longer holds; nothing is removed for one that was not read whole. */
  readonly sync: boolean;
  readonly onProgress: (done: number) => void;
  readonly onProblem: (problem: ImportProblem) => void;
}

/** Imports files and folders into a bot. A bad line or file is reported, and the rest goes in. */
export async function importSources(
  operator: Operator,
  bot: string,
  paths: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> {
  const outcomes: Record<ImportOutcome, number> = { added: 0, replaced: 0, unchanged: 0 };
  const problems: ImportProblem[] = [];
  let removed = 0;
  let passedOver = 0;
  for (const path of paths) {
    const source = sourceName(path);
    const brought = new Set<string>();
    const inFlight = new Set<Promise<void>>();
    const before = problems.length;
    const report = (place: string, message: string): void => {
      problems.push({ place, message });
      options.onProblem({ place, message });
    };
    let fatal: unknown;
    const take = async (document: unknown, place: string): Promise<void> => {
      try {
        outcomes[await operator.importDocument(bot, document, source)] += 1;
        options.onProgress(outcomes.added + outcomes.replaced + outcomes.unchanged);
      } catch (error) {
        if (error instanceof LoredexError && error.code === "VALIDATION") report(place, error.message);
        else fatal ??= error;
      }
    };
    for await (const item of readSource(path, options.type)) {
      if (fatal !== undefined) break;
      if (item.kind === "problem") report(item.place, item.message);
      else if (item.kind === "passedOver") passedOver += 1;
      else {
        const id = idOf(item.document);
        // Two lines with one id must go in their order.
        if (id !== undefined && brought.has(id)) await Promise.all(inFlight);
        if (id !== undefined) brought.add(id);
        if (inFlight.size >= IN_FLIGHT_MAX) await Promise.race(inFlight);
        const taking = take(item.document, item.place).finally(() => inFlight.delete(taking));
        inFlight.add(taking);
      }
    }
    await Promise.all(inFlight);
    if (fatal !== undefined) throw fatal;
    if (options.sync && problems.length === before) {
      for (const id of await operator.documentsOfSource(bot, source)) {
        if (brought.has(id)) continue;
        await operator.removeDocument(bot, id);
        removed += 1;
      }
    }
  }
  return { ...outcomes, removed, passedOver, problems };
}

function idOf(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || !("resourceDocId" in document)) return undefined;
  return typeof document.resourceDocId === "string" ? document.resourceDocId : undefined;
}
