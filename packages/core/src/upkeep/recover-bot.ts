import { FIRST_VECTORS_SECTION, INDEX_SECTION, VECTORS_SECTION } from "../domain/derived-sections.ts";
import type { BotInfo, SearchableDocument } from "../domain/types.ts";
import { type SavedVectors, savedVectors } from "../query/first-vectors.ts";
import { indexFromSections } from "../query/load-index.ts";
import { SearchIndex } from "../query/search-index.ts";
import type { Logger } from "../runtime/log-event.ts";
import type { Steps, Turns } from "../runtime/steps.ts";
import { apply } from "../state/apply.ts";
import { newestVersion } from "../state/newest-version.ts";
import { decodeBotRecord } from "../state/record-codec.ts";
import { type BotState, emptyState } from "../state/state.ts";
import { stateFromSections } from "../state/state-sections.ts";
import { checkedRecord } from "../state/stored-shapes.ts";
import { understanding, understandingInSteps } from "../state/unreadable.ts";
import type { DroppedSection, LoadedSnapshot, Store } from "../storage/store.ts";
import type { Analyzer } from "../text/analyzer.ts";

export interface RecoveryParts {
  readonly store: Store;
  readonly analyzer: Analyzer;
  readonly info: () => BotInfo;
  readonly logger: Logger;
}

export interface RecoveredBot {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly saved: ReadonlyMap<string, SavedVectors>;
}

/**
 * A bot's state and index out of its store: the newest good snapshot, then the rest of the log through the same `apply` as live. In turns: the
 * other bots are served meanwhile. Where that fails, the store is closed.
 */
export async function recoverBot(parts: RecoveryParts, turns: Turns): Promise<RecoveredBot> {
  try {
    return await recovered(parts, turns);
  } catch (error) {
    await parts.store.close();
    throw error;
  }
}

async function recovered(parts: RecoveryParts, turns: Turns): Promise<RecoveredBot> {
  const { store, info, logger } = parts;
  let state = emptyState();
  let snapshot: LoadedSnapshot | undefined;
  const report = await store.recover({
    snapshot: async (loaded) => {
      snapshot = loaded;
      const read = stateFromSections(loaded);
      state = await turns.take(understandingInSteps(`The snapshot of record ${loaded.sequence}`, read));
    },
    record: (sequence, payload) => {
      const { record, binary } = decodeBotRecord(sequence, payload);
      understanding(`Record ${sequence}`, () => {
        checkedRecord(record);
        apply(state, record, sequence, binary);
      });
      return turns.isOver ? turns.rest() : undefined;
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
  for (const dropped of snapshot?.dropped ?? []) tellDropped(parts, dropped);
  return { state, ...(await turns.take(derivedOf(parts, snapshot, state))) };
}

/** What of a section is made again, and under which name the log has it where the section cannot be used. */
const MADE_AGAIN: ReadonlyMap<string, readonly [event: string, part: string, mend: string]> = new Map([
  [INDEX_SECTION, ["indexDropped", "The stored index", "Everything is indexed anew."]],
  [FIRST_VECTORS_SECTION, ["firstVectorsDropped", "The file of the student's vectors", "They are made anew."]],
  [VECTORS_SECTION, ["vectorsDropped", "The file of the embedder's vectors", "The embedder is asked for them again."]],
]);

/** A file that is gone was most often deleted by somebody: the disk is to blame for wrong bytes. */
function tellDropped({ info, logger }: RecoveryParts, { name, reason, isMissing }: DroppedSection): void {
  const [event, part, mend] = MADE_AGAIN.get(name) ?? ["sectionDropped", "A part of the snapshot", "It is made anew."];
  const what = isMissing === true ? "is missing, as after somebody has deleted it" : "is damaged";
  const after = isMissing === true ? "" : " Check the disk.";
  const message = `${part} ${what}. ${mend} Nothing else is lost. ${reason}.${after}`;
  logger({ level: "warn", event, message, botId: info().id });
}

/** What need not be made again, since the snapshot has it. */
function* derivedOf(
  parts: RecoveryParts,
  snapshot: LoadedSnapshot | undefined,
  state: BotState,
): Steps<{ index: SearchIndex; saved: ReadonlyMap<string, SavedVectors> }> {
  const index = snapshot === undefined ? undefined : yield* storedIndex(parts, snapshot, state);
  if (snapshot === undefined || index === undefined)
    return { index: new SearchIndex(parts.analyzer), saved: new Map() };
  return { index, saved: yield* savedByStudent(parts, snapshot) };
}

/** The index of a snapshot; undefined if it cannot be understood: then all is indexed anew. */
function* storedIndex(
  { analyzer, info, logger }: RecoveryParts,
  { sections }: LoadedSnapshot,
  state: BotState,
): Steps<SearchIndex | undefined> {
  try {
    return yield* indexFromSections(analyzer, sections, (id, version) => searchableVersion(state, id, version));
  } catch (error) {
    const message = "The stored index cannot be understood; everything is indexed anew.";
    logger({ level: "warn", event: "indexDropped", message, botId: info().id, error });
    return undefined;
  }
}

/** The student's vectors of a snapshot; none if they cannot be understood. */
function* savedByStudent(
  { info, logger }: RecoveryParts,
  { sections }: LoadedSnapshot,
): Steps<ReadonlyMap<string, SavedVectors>> {
  try {
    return yield* savedVectors(sections.get(FIRST_VECTORS_SECTION));
  } catch (error) {
    const message = "The student's vectors in the snapshot cannot be understood; they are made anew.";
    logger({ level: "warn", event: "firstVectorsDropped", message, botId: info().id, error });
    return new Map();
  }
}

/** The document if this is still its newest version. */
function searchableVersion(state: BotState, id: string, version: number): SearchableDocument | undefined {
  const newest = newestVersion(state, id);
  return newest?.version === version ? newest.document : undefined;
}
