import type { BotMemory } from "../accounting/bot-memory.ts";
import { FIRST_VECTORS_SECTION, INDEX_SECTION, VECTORS_SECTION } from "../domain/derived-sections.ts";
import { LoredexError } from "../domain/errors.ts";
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
import { stateBytes } from "./memory-estimate.ts";

export interface RecoveryParts {
  /** The bot's memory. Default: there always is enough. */
  readonly memory?: BotMemory | undefined;
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
  const { store, info, logger, memory } = parts;
  const state = emptyState();
  let snapshot: LoadedSnapshot | undefined;
  memory?.measureBy({
    held: () => ({ bytes: stateBytes(state), heapBytes: stateBytes(state), waitingBytes: 0 }),
    indexBytesAUnit: () => 0,
  });
  const report = await store.recover({
    expect: (otherBytes) => memory?.requireOpenable({ otherBytes }),
    snapshot: async (loaded) => {
      snapshot = loaded;
      const read = understandingInSteps(`The snapshot of record ${loaded.sequence}`, stateFromSections(loaded, state));
      await turns.take(withinMemory(read, memory));
    },
    record: (sequence, payload) => {
      const { record, binary } = decodeBotRecord(sequence, payload);
      understanding(`Record ${sequence}`, () => {
        checkedRecord(record);
        apply(state, record, sequence, binary);
      });
      if (!turns.isOver) return undefined;
      memory?.requireOpenable();
      return turns.rest();
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
  for (const dropped of snapshot?.dropped ?? []) tellDropped(parts, dropped);
  return { state, ...(await turns.take(withinMemory(derivedOf(parts, snapshot, state), memory))) };
}

/** So many steps of a reading are made before its memory is looked at. */
const LOOKED_AT_EACH = 64;

/** The same work, which ends where there is no memory for what it reads. @throws LoredexError `OUT_OF_MEMORY` */
function* withinMemory<Result>(steps: Steps<Result>, memory: BotMemory | undefined): Steps<Result> {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (count % LOOKED_AT_EACH === 0) memory?.requireOpenable();
    yield;
  }
}

function isShortOfMemory(error: unknown): boolean {
  return error instanceof LoredexError && error.code === "OUT_OF_MEMORY";
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
  { analyzer, info, logger, memory }: RecoveryParts,
  { sections }: LoadedSnapshot,
  state: BotState,
): Steps<SearchIndex | undefined> {
  const documentOf = (id: string, version: number) => searchableVersion(state, id, version);
  try {
    return yield* indexFromSections(analyzer, sections, documentOf, (heapBytes) =>
      memory?.requireOpenable({ heapBytes }),
    );
  } catch (error) {
    if (isShortOfMemory(error)) throw error;
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
