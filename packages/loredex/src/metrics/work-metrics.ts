import type { ErrorCode, WorkEvent } from "@loredex/core";
import { Counter, Histogram, type Registry } from "prom-client";
import type { BotLabels } from "./bot-labels.ts";

/** In seconds. A search by words takes some milliseconds; ten seconds is the deadline of one. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What whoever asked can mend: all else is the service's failure. */
const REFUSALS: ReadonlySet<ErrorCode | "UNKNOWN"> = new Set([
  "VALIDATION",
  "ARTICLE_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "BOT_NOT_FOUND",
  "QUOTA_EXCEEDED",
  "RATE_EXCEEDED",
  "BOT_FULL",
]);

/** Counts and times what an engine's bots do. */
export function workMetrics(registers: Registry[], bots: BotLabels): (event: WorkEvent) => void {
  const searches = new Counter({
    name: "loredex_searches_total",
    help: "Searches that ended, by bot and by result: ok, refused (the request breaks a rule) or failed.",
    labelNames: ["bot", "result"],
    registers,
  });
  const searchSeconds = new Histogram({
    name: "loredex_search_duration_seconds",
    help: "How long searches took that gave results, the opening of their bot included.",
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
  return ({ botId, kind, durationMs, outcome, code }) => {
    const bot = bots.of(botId);
    const result = code === undefined ? "ok" : REFUSALS.has(code) ? "refused" : "failed";
    if (kind === "search") searches.inc({ bot, result });
    else writes.inc({ bot, kind, result });
    if (kind === "import") imported.inc({ bot, outcome: outcome ?? "failed" });
    if (code === undefined) (kind === "search" ? searchSeconds : writeSeconds).observe(durationMs / 1_000);
  };
}
