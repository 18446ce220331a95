import type { ErrorCode, ImportOutcome, WorkEvent, WorkKind } from "@loredex/core";
import { Counter, Histogram, type Registry } from "prom-client";
import type { BotLabels } from "./bot-labels.ts";

/** The buckets in seconds. A BM25 search takes some milliseconds, and ten seconds is the deadline of a search. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The errors that the caller can mend. All others are failures of the service. */
const REFUSALS: ReadonlySet<ErrorCode | "UNKNOWN"> = new Set([
  "VALIDATION",
  "ARTICLE_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "BOT_NOT_FOUND",
  "QUOTA_EXCEEDED",
  "RATE_EXCEEDED",
  "QUOTA_BYTES_EXCEEDED",
  "RATE_BYTES_EXCEEDED",
  "IMPORT_BYTES_EXCEEDED",
  "BOT_FULL",
  "OUT_OF_MEMORY",
]);

type Result = "ok" | "refused" | "failed";
const RESULTS = keysOf<Result>({ ok: true, refused: true, failed: true });
const WRITES = keysOf<Exclude<WorkKind, "search" | "suggest">>({
  create: true,
  update: true,
  upsert: true,
  delete: true,
  import: true,
  status: true,
  remove: true,
});
const OUTCOMES = keysOf<ImportOutcome | "failed">({ added: true, replaced: true, unchanged: true, failed: true });

/** All values of a type: a missing one does not compile. */
export function keysOf<Key extends string>(all: Readonly<Record<Key, true>>): readonly Key[] {
  return Object.keys(all) as Key[];
}

/** Counts and times the work of an engine's bots. */
export function workMetrics(registers: Registry[], bots: BotLabels): (event: WorkEvent) => void {
  const searches = new Counter({
    name: "loredex_searches_total",
    help: "Searches that ended, by bot and by result: ok, refused (the request breaks a rule, the bot is full, or memory is short) or failed.",
    labelNames: ["bot", "result"],
    registers,
  });
  const searchSeconds = new Histogram({
    name: "loredex_search_duration_seconds",
    help: "How long searches took that gave results, the opening of their bot included.",
    buckets: DURATION_BUCKETS,
    registers,
  });
  const suggestions = new Counter({
    name: "loredex_suggestions_total",
    help: "Requests for suggestions of a search box that ended, by bot and by result.",
    labelNames: ["bot", "result"],
    registers,
  });
  const suggestSeconds = new Histogram({
    name: "loredex_suggestion_duration_seconds",
    help: "How long suggestions took that were given, the opening of their bot included.",
    buckets: DURATION_BUCKETS,
    registers,
  });
  const writes = new Counter({
    name: "loredex_writes_total",
    help: "Writes that ended, by bot, kind (create, update and delete are of articles; import, status and remove of imported documents) and result.",
    labelNames: ["bot", "kind", "result"],
    registers,
  });
  const writeSeconds = new Histogram({
    name: "loredex_write_duration_seconds",
    help: "How long writes took until they were on disk.",
    buckets: DURATION_BUCKETS,
    registers,
  });
  const imported = new Counter({
    name: "loredex_imported_documents_total",
    help: "Documents that were imported, by bot and by outcome: added, replaced, unchanged or failed.",
    labelNames: ["bot", "outcome"],
    registers,
  });
  // Initialised to 0: a counter that appears with its first event hides that event from `rate` and `increase`.
  bots.onLabel((bot) => {
    for (const result of RESULTS) {
      searches.inc({ bot, result }, 0);
      suggestions.inc({ bot, result }, 0);
      for (const kind of WRITES) writes.inc({ bot, kind, result }, 0);
    }
    for (const outcome of OUTCOMES) imported.inc({ bot, outcome }, 0);
  });
  return ({ botId, kind, durationMs, outcome, code }) => {
    const bot = bots.of(botId);
    const result: Result = code === undefined ? "ok" : REFUSALS.has(code) ? "refused" : "failed";
    if (kind === "search") searches.inc({ bot, result });
    else if (kind === "suggest") suggestions.inc({ bot, result });
    else writes.inc({ bot, kind, result });
    if (kind === "import") imported.inc({ bot, outcome: outcome ?? "failed" });
    if (code !== undefined) return;
    const seconds = kind === "search" ? searchSeconds : kind === "suggest" ? suggestSeconds : writeSeconds;
    seconds.observe(durationMs / 1_000);
  };
}
