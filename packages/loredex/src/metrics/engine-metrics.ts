import type { Engine, KnownFigures, OpenBotFigures } from "@loredex/core";
import { Gauge, type Registry } from "prom-client";
import type { BotLabels } from "./bot-labels.ts";
import { sharedMetrics } from "./shared-metrics.ts";

/** The methods of an engine that are called for each request of metrics. */
export type WatchedEngine = Pick<Engine, "condition" | "figures">;

type Taken<Figures> = Readonly<Record<string, readonly [help: string, take: (figures: Figures) => number]>>;

/** The gauges of each bot with known figures, open or not. */
const OF_ALL: Taken<KnownFigures> = {
  loredex_bot_articles: ["Articles.", ({ articles }) => articles],
  loredex_bot_documents: ["Imported documents.", ({ documents }) => documents],
  loredex_bot_characters: ["Characters of the articles.", ({ characterUsed }) => characterUsed],
};

/** The gauges of each open bot. */
const OF_OPEN: Taken<OpenBotFigures> = {
  loredex_bot_index_queue: [
    "Accepted documents and articles that are not searchable yet.",
    ({ indexQueue }) => indexQueue,
  ],
  loredex_bot_index_failures: [
    "Versions that could not be indexed since the bot was opened.",
    ({ indexFailures }) => indexFailures,
  ],
  loredex_bot_texts: [
    "Windows of passages, titles and question variants, which can have a vector.",
    ({ texts }) => texts,
  ],
  loredex_bot_vectors: ["Those of them that have the embedder's vector.", ({ vectors }) => vectors],
  loredex_bot_upgrade_waiting: [
    "Documents that lack vectors and will get them.",
    ({ documentsWaiting }) => documentsWaiting,
  ],
  loredex_bot_upgrade_given_up: [
    "Documents that the embedder refused until the next start.",
    ({ documentsGivenUp }) => documentsGivenUp,
  ],
  loredex_bot_token_codes_waiting: [
    "Documents that are found without reranking until their token codes are made.",
    ({ tokenCodesWaiting }) => tokenCodesWaiting,
  ],
  loredex_bot_token_codes_given_up: [
    "Documents whose token codes for reranking could not be made or kept.",
    ({ tokenCodesGivenUp }) => tokenCodesGivenUp,
  ],
  loredex_bot_embedder_failures: [
    "Calls of the embedder that failed since the bot was opened.",
    ({ embedderFailures }) => embedderFailures,
  ],
  loredex_bot_disk_bytes: ["Bytes of the files of open bots.", ({ diskBytes }) => diskBytes],
  loredex_bot_memory_bytes: ["Estimated bytes that open bots take in memory.", ({ memoryBytes }) => memoryBytes],
};

/** Makes a function that sets the gauges to an engine's present state. Bots that share a label are summed. */
export function engineMetrics(registers: Registry[], bots: BotLabels): (engine: WatchedEngine) => void {
  const known = new Gauge({ name: "loredex_bots", help: "Bots, open or not.", registers });
  const open = new Gauge({ name: "loredex_open_bots", help: "Bots that are open.", registers });
  const writable = new Gauge({
    name: "loredex_writable",
    help: "1, or 0 while nothing can be written in the data directory or the database.",
    registers,
  });
  const faults = new Gauge({
    name: "loredex_bot_faults",
    help: "Bots that cannot be used or written to, by kind: damaged, inaccessible, readOnly or notWritable.",
    labelNames: ["bot", "kind"],
    registers,
  });
  const questions = new Gauge({
    name: "loredex_question_vectors",
    help: "Questions for an embedder since the start, by where their vector came from: made, or kept from before.",
    labelNames: ["from"],
    registers,
  });
  const codesUsed = new Gauge({
    name: "loredex_token_codes",
    help: "Windows whose token codes were compared since the start, by where they came from: memory, or disk.",
    labelNames: ["from"],
    registers,
  });
  const codeBytes = new Gauge({
    name: "loredex_rerank_memory_bytes",
    help: "Bytes of token codes for reranking that are in memory, of all bots.",
    registers,
  });
  let ofShared: ReturnType<typeof sharedMetrics> | undefined;
  const gauges = <Figures>(of: Taken<Figures>) =>
    Object.entries(of).map(([name, [help, take]]) => {
      return { gauge: new Gauge({ name, help, labelNames: ["bot"], registers }), take };
    });
  const [ofAll, ofOpen] = [gauges(OF_ALL), gauges(OF_OPEN)];
  const quotas = new Gauge({
    name: "loredex_bot_quota_characters",
    help: "Characters that the articles may have.",
    labelNames: ["bot"],
    registers,
  });
  const infos = new Gauge({
    name: "loredex_bot_info",
    help: "1 for each bot that has a label of its own, with its name.",
    labelNames: ["bot", "name"],
    registers,
  });
  return (engine) => {
    const { canWrite, faults: told, unreachable: isUnreachable } = engine.condition();
    const { bots: count, openBots, fleet, questionVectors, tokenCodes, shared } = engine.figures();
    questions.set({ from: "made" }, questionVectors.made);
    questions.set({ from: "kept" }, questionVectors.found);
    codesUsed.set({ from: "memory" }, tokenCodes.found);
    codesUsed.set({ from: "disk" }, tokenCodes.read);
    codeBytes.set(tokenCodes.bytes);
    known.set(count);
    open.set(openBots.length);
    writable.set(canWrite ? 1 : 0);
    if (shared !== undefined) {
      ofShared ??= sharedMetrics(registers);
      ofShared(engine, shared, isUnreachable !== undefined);
    }
    faults.reset();
    for (const { id, kind } of told) faults.inc({ bot: bots.of(id), kind });
    // If there are too few labels, used bots get them first.
    for (const { id } of openBots) bots.of(id);
    bots.fill(fleet.map(({ id }) => id));
    const seen = fleet.flatMap(({ id, figures }) => (figures === undefined ? [] : [{ id, figures }]));
    for (const { gauge, take } of ofAll) set(gauge, bots, seen, ({ figures }) => take(figures));
    for (const { gauge, take } of ofOpen) set(gauge, bots, openBots, take);
    set(quotas, bots, fleet, ({ quotaCharacters }) => quotaCharacters);
    infos.reset();
    for (const { id, name } of fleet) if (bots.known(id) === id) infos.set({ bot: id, name }, 1);
  };
}

/** Sets a gauge for each bot. Bots that share a label are summed. */
function set<Bot extends { readonly id: string }>(
  gauge: Gauge,
  bots: BotLabels,
  all: readonly Bot[],
  take: (bot: Bot) => number,
): void {
  const sums = new Map<string, number>();
  for (const bot of all) {
    const label = bots.known(bot.id);
    sums.set(label, (sums.get(label) ?? 0) + take(bot));
  }
  gauge.reset();
  for (const [bot, sum] of sums) gauge.set({ bot }, sum);
}
