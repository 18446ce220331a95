import { apply } from "./apply.ts";
import type { Logger } from "./log-event.ts";
import { newestVersion } from "./newest-version.ts";
import { indexFromSections } from "./query/index-sections.ts";
import { SearchIndex } from "./query/search-index.ts";
import { decodeBotRecord } from "./record-codec.ts";
import { type BotState, emptyState } from "./state.ts";
import { stateFromSections } from "./state-sections.ts";
import type { LoadedSnapshot, Store } from "./storage/store.ts";
import type { Analyzer } from "./text/analyzer.ts";
import type { BotInfo, SearchableDocument } from "./types.ts";

/** A bot's state and index out of its store: the newest good snapshot, then the rest of the log through the same `apply` as live. */
export async function recoverBot(parts: {
  readonly store: Store;
  readonly analyzer: Analyzer;
  readonly info: () => BotInfo;
  readonly logger: Logger;
}): Promise<{ state: BotState; index: SearchIndex }> {
  const { store, analyzer, info, logger } = parts;
  let state = emptyState();
  let snapshot: LoadedSnapshot | undefined;
  const report = await store.recover({
    snapshot: (loaded) => {
      snapshot = loaded;
      state = stateFromSections(loaded);
    },
    record: (sequence, payload) => {
      const { record, binary } = decodeBotRecord(sequence, payload);
      apply(state, record, sequence, binary);
    },
  });
  const botId = info().id;
  if (report.tornBytes > 0) {
    const message = `The log ended in ${report.tornBytes} bytes of a write that was never acknowledged; they were set aside.`;
    logger({ level: "warn", event: "tornTail", message, botId });
  }
  if (report.damagedSnapshots > 0) {
    const message = `${report.damagedSnapshots} damaged snapshots were passed over; an older one and the log gave the same state.`;
    logger({ level: "warn", event: "damagedSnapshot", message, botId });
  }
  const index =
    snapshot === undefined
      ? new SearchIndex(analyzer)
      : indexFromSections(analyzer, snapshot.sections, (id, version) => searchableVersion(state, id, version));
  return { state, index };
}

/** The document if this is still its newest version. */
function searchableVersion(state: BotState, id: string, version: number): SearchableDocument | undefined {
  const newest = newestVersion(state, id);
  return newest?.version === version ? newest.document : undefined;
}
