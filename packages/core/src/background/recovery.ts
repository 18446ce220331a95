import type { Analyzer } from "../analysis/analyzer.ts";
import { SearchIndex } from "../index/search-index.ts";
import { type SavedVectors, savedVectors } from "../index/snapshot/first-vectors.ts";
import { indexFromSections } from "../index/snapshot/load-index.ts";
import { apply } from "../log/apply.ts";
import { newestVersion } from "../log/newest-version.ts";
import { decodeBotRecord } from "../log/record-codec.ts";
import { kindOf } from "../log/record-kinds.ts";
import { type BotState, emptyState } from "../log/state.ts";
import { stateFromSections } from "../log/state-sections.ts";
import { understanding, understandingInSlices } from "../log/unreadable.ts";
import { FIRST_VECTORS_SECTION, INDEX_SECTION, VECTORS_SECTION } from "../model/derived-sections.ts";
import { isShortOfMemory } from "../model/errors.ts";
import type { BotInfo, SearchableDocument } from "../model/types.ts";
import type { Logger } from "../platform/log-event.ts";
import type { BotMemory } from "../quotas/bot-memory.ts";
import type { Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import type { DroppedSection, LoadedSnapshot, Store } from "../storage/store.ts";
import { stateMeasure } from "./memory-estimate.ts";

export interface RecoveryDeps {
  /** The bot's memory. Default: unlimited. */
  readonly memory?: BotMemory | undefined;
  readonly store: Store;
  readonly analyzer: Analyzer;
  readonly info: () => BotInfo;
  readonly logger: Logger;
}

/** A recovered bot. `saved` has the static embedder's vectors of the snapshot, by document. */
export interface RecoveredBot {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly saved: ReadonlyMap<string, SavedVectors>;
}

/**
 * Recovers a bot's state and index from its store: the newest good snapshot, then the rest of the log through the same `apply` as live writes.
 * Runs in time slices: other bots are served meanwhile. Closes the store if it fails.
 */
export async function recoverBot(deps: RecoveryDeps, slices: TimeSlices): Promise<RecoveredBot> {
  try {
    return await recovered(deps, slices);
  } catch (error) {
    await deps.store.close();
    throw error;
  }
}

async function recovered(deps: RecoveryDeps, slices: TimeSlices): Promise<RecoveredBot> {
  const { store, info, logger, memory } = deps;
  const state = emptyState();
  let snapshot: LoadedSnapshot | undefined;
  memory?.measureBy(stateMeasure(state));
  const report = await store.recover({
    expect: (otherBytes) => memory?.requireOpenable({ otherBytes }),
    snapshot: async (loaded) => {
      snapshot = loaded;
      const read = understandingInSlices(`The snapshot of record ${loaded.sequence}`, stateFromSections(loaded, state));
      await slices.run(withinMemory(read, memory));
    },
    record: (sequence, payload) => {
      const { record, binary } = decodeBotRecord(sequence, payload);
      understanding(`Record ${sequence}`, () => {
        kindOf(record).check(record);
        apply(state, record, sequence, binary);
      });
      if (!slices.isOver) return undefined;
      memory?.requireOpenable();
      return slices.yield();
    },
  });
  memory?.requireOpenable();
  const botId = info().id;
  if (report.tornBytes > 0) {
    const message = `The log ended in ${report.tornBytes} bytes of a write that was never acknowledged; they were set aside.`;
    logger({ level: "warn", event: "tornTail", message, botId });
  }
  if (report.damagedSnapshots > 0) {
    const message = `${report.damagedSnapshots} damaged snapshots were passed over; an older one and the log gave the same state.`;
    logger({ level: "warn", event: "damagedSnapshot", message, botId });
  }
  for (const dropped of snapshot?.dropped ?? []) tellDropped(deps, dropped);
  return { state, ...(await slices.run(withinMemory(derivedOf(deps, snapshot, state), memory))) };
}

/** Steps of recovery between two checks of the memory. */
const LOOKED_AT_EACH = 64;

/** The same work, which ends if there is no memory for its result. @throws LoredexError `OUT_OF_MEMORY` */
function* withinMemory<Result>(steps: Sliced<Result>, memory: BotMemory | undefined): Sliced<Result> {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (count % LOOKED_AT_EACH === 0) memory?.requireOpenable();
    yield;
  }
}

/** By section: the event, subject and remedy of the log message for a section that cannot be used. */
const MADE_AGAIN: ReadonlyMap<string, readonly [event: string, subject: string, mend: string]> = new Map([
  [INDEX_SECTION, ["indexDropped", "The stored index", "Everything is indexed again."]],
  [FIRST_VECTORS_SECTION, ["firstVectorsDropped", "The file of the static embedder's vectors", "They are made again."]],
  [VECTORS_SECTION, ["vectorsDropped", "The file of the embedder's vectors", "The embedder is asked for them again."]],
]);

/** Logs a section that cannot be used. A missing file was most likely deleted by a person or a program. Damaged bytes point to the disk. */
function tellDropped({ info, logger }: RecoveryDeps, { name, reason, isMissing }: DroppedSection): void {
  const [event, subject, mend] = MADE_AGAIN.get(name) ?? [
    "sectionDropped",
    "A part of the snapshot",
    "It is made again.",
  ];
  const what = isMissing === true ? "is missing, as after somebody has deleted it" : "is damaged";
  const after = isMissing === true ? "" : " Check the disk.";
  const message = `${subject} ${what}. ${mend} Nothing else is lost. ${reason}.${after}`;
  logger({ level: "warn", event, message, botId: info().id });
}

/** The derived data that the snapshot has: the index and the static embedder's vectors. */
function* derivedOf(
  deps: RecoveryDeps,
  snapshot: LoadedSnapshot | undefined,
  state: BotState,
): Sliced<{ index: SearchIndex; saved: ReadonlyMap<string, SavedVectors> }> {
  const index = snapshot === undefined ? undefined : yield* storedIndex(deps, snapshot, state);
  if (snapshot === undefined || index === undefined) return { index: new SearchIndex(deps.analyzer), saved: new Map() };
  return { index, saved: yield* savedByStatic(deps, snapshot) };
}

/** The index of a snapshot; undefined if it cannot be understood: then everything is indexed again. */
function* storedIndex(
  { analyzer, info, logger, memory }: RecoveryDeps,
  { sections }: LoadedSnapshot,
  state: BotState,
): Sliced<SearchIndex | undefined> {
  const documentOf = (id: string, version: number) => searchableVersion(state, id, version);
  try {
    return yield* indexFromSections(analyzer, sections, documentOf, (heapBytes) =>
      memory?.requireOpenable({ heapBytes }),
    );
  } catch (error) {
    if (isShortOfMemory(error)) throw error;
    const message = "The stored index cannot be understood; everything is indexed again.";
    logger({ level: "warn", event: "indexDropped", message, botId: info().id, error });
    return undefined;
  }
}

/** The static embedder's vectors of a snapshot; none if they cannot be understood. */
function* savedByStatic(
  { info, logger }: RecoveryDeps,
  { sections }: LoadedSnapshot,
): Sliced<ReadonlyMap<string, SavedVectors>> {
  try {
    return yield* savedVectors(sections.get(FIRST_VECTORS_SECTION));
  } catch (error) {
    const message = "The static embedder's vectors in the snapshot cannot be understood; they are made again.";
    logger({ level: "warn", event: "firstVectorsDropped", message, botId: info().id, error });
    return new Map();
  }
}

/** The document if this is still its newest version. */
function searchableVersion(state: BotState, id: string, version: number): SearchableDocument | undefined {
  const newest = newestVersion(state, id);
  return newest?.version === version ? newest.document : undefined;
}
