import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { BotVectors, type BotVectorsDeps } from "../../src/background/embedding/bot-vectors.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { emptyState } from "../../src/log/state.ts";
import { TestClock } from "./test-clock.ts";
import { withoutGraph } from "./without-graph.ts";

/** The vectors of a bot without documents, and what they are told and bring about. */
export function vectorsOfABot(change: Partial<BotVectorsDeps> = {}) {
  const index = new SearchIndex(new LanguageAnalyzer("multi"));
  const [events, unfinished]: [string[], boolean[]] = [[], []];
  const vectors = new BotVectors({
    saved: new Map(),
    clock: new TestClock(),
    logger: ({ event }) => events.push(event),
    sleep: async () => undefined,
    searchSlices: { isQuiet: true },
    graphs: withoutGraph,
    graphVectorsMin: 10,
    background: false,
    tokenCodeCache: undefined,
    blocks: undefined,
    botId: "bot",
    state: emptyState(),
    index,
    newest: () => undefined,
    append: async () => undefined,
    cache: { read: async () => undefined, write: async () => undefined, isMine: async () => true },
    onUnfinished: (now) => unfinished.push(now),
    ...change,
  });
  return { vectors, index, events, unfinished };
}
