import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { IdMaker } from "../../src/articles/identifier.ts";
import { TokenCodeCache } from "../../src/index/token-codes/held-codes.ts";
import type { BotInfo } from "../../src/model/types.ts";
import { type BotDeps, OpenBot } from "../../src/open-bot.ts";
import { WindowClock } from "../../src/quotas/window-clock.ts";
import { TimeSlices } from "../../src/scheduling/time-slices.ts";
import type { Store } from "../../src/storage/store.ts";
import { seededRandom, TestClock } from "./test-clock.ts";
import { UNREAD_LANGUAGES } from "./unread-languages.ts";
import { withoutGraph } from "./without-graph.ts";

export const INFO: BotInfo = {
  id: "bot",
  name: "bot",
  quotaCharacters: 1_000_000,
  rateCharactersPerMinute: 1_000_000,
  quotaBytes: "auto",
  rateBytesPerMinute: "auto",
  importBytes: "none",
  language: "multi",
  embedder: "fake",
  quality: "best",
  questionLog: false,
  questionLogDays: 30,
  gapScore: 0.3,
  createdAt: new Date(0).toISOString(),
  hasKey: false,
};

/** A bot on its store, without an engine around it: its clock stands still, and nobody hears of its work. */
export function bareBot(store: Store, change: Partial<BotDeps> = {}): Promise<OpenBot> {
  const clock = new TestClock();
  return OpenBot.open({
    onWritten: () => undefined,
    onWriteFailed: () => undefined,
    note: () => undefined,
    info: () => INFO,
    store,
    analyzer: new LanguageAnalyzer("multi"),
    clock,
    windowClock: ({ lastChargeMs }) => new WindowClock(clock, lastChargeMs),
    again: (work) => work(),
    ids: new IdMaker(clock, seededRandom(1)),
    listSlices: new TimeSlices(clock),
    searchSlices: TimeSlices.ofSearches(clock),
    logger: () => undefined,
    jobLogger: change.logger ?? (() => undefined),
    sleep: () => new Promise(() => undefined),
    embedder: undefined,
    graphs: withoutGraph,
    graphVectorsMin: 1_000,
    background: true,
    tokenCodeCache: new TokenCodeCache(1_000_000),
    onUnfinished: () => undefined,
    written: UNREAD_LANGUAGES,
    ...change,
  });
}
