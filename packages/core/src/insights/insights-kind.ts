import type { GoldenQuestion } from "../evaluation/golden.ts";
import type { RecordedKind } from "../log/recorded-kind.ts";
import { LoredexError } from "../model/errors.ts";
import { entriesOf, newEntry } from "../platform/section-entries.ts";
import { inSlices, SLICING } from "../scheduling/in-slices.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { LoadedSection, LoadedSnapshot, SnapshotSection } from "../storage/store.ts";
import { applyInsights, decodeInsightsRecord, type InsightsRecord } from "./insights-records.ts";
import {
  emptyInsights,
  type InsightsState,
  type LoggedQuestion,
  type StoredRun,
  unitsOf,
  type WeekFigures,
} from "./insights-state.ts";

/** The section of a snapshot, and of a backup with questions: entries of JSON, each a {@link Part}. */
export const INSIGHTS_SECTION = "insights";
const VERSION = 1;
/** Documents of one entry. */
const FOUND_OF_ENTRY = 200;

/** One entry of the section. */
type Part =
  | { readonly part: "counters"; readonly next: number; readonly nextRun: number; readonly removedAt: number }
  | { readonly part: "question"; readonly question: LoggedQuestion }
  | { readonly part: "found"; readonly found: readonly (readonly [id: string, atMs: number])[] }
  | { readonly part: "weeks"; readonly weeks: readonly (readonly [week: string, figures: WeekFigures])[] }
  | { readonly part: "golden"; readonly golden: readonly GoldenQuestion[] }
  | { readonly part: "run"; readonly run: StoredRun };

/** The insights of a bot as a recorded state. @param store the name of its store */
export function insightsKind(store: string): RecordedKind<InsightsState, InsightsRecord> {
  return {
    store,
    name: "question log",
    isRequired: false,
    empty: emptyInsights,
    decode: decodeInsightsRecord,
    apply: applyInsights,
    check: checkLast,
    frees: ({ kind }) => kind === "aged" || kind === "cleared",
    sections: insightsSections,
    load: { inSlices: loadInsights },
  };
}

/** The state as it is at the call, as sections. They are encoded in time slices as they are read. */
export function insightsSections(state: InsightsState): SnapshotSection[] {
  // Entries are replaced and never changed, so that lists of them are a copy.
  const parts = partsOf({ ...state, questions: [...state.questions] }, [...state.found], [...state.weeks]);
  return [{ name: INSIGHTS_SECTION, version: VERSION, chunks: inSlices(parts, SLICING) }];
}

function* partsOf(
  { next, nextRun, removedAt, golden, runs, questions }: InsightsState,
  found: readonly (readonly [string, number])[],
  weeks: readonly (readonly [string, WeekFigures])[],
): Generator<Uint8Array> {
  const bytes = (part: Part): Uint8Array => newEntry(part, 0).entry;
  yield bytes({ part: "counters", next, nextRun, removedAt });
  yield bytes({ part: "weeks", weeks });
  yield bytes({ part: "golden", golden });
  for (const run of runs) yield bytes({ part: "run", run });
  for (const question of questions) yield bytes({ part: "question", question });
  for (let at = 0; at < found.length; at += FOUND_OF_ENTRY)
    yield bytes({ part: "found", found: found.slice(at, at + FOUND_OF_ENTRY) });
}

/** Fills an empty state from a snapshot, in time slices. */
function loadInsights(state: InsightsState, { sequence, sections }: LoadedSnapshot): Sliced<void> {
  state.sequence = sequence;
  return readInsights(state, sections.get(INSIGHTS_SECTION));
}

/** Fills an empty state from a section. @throws LoredexError `UNSUPPORTED_FORMAT`, TypeError */
export function* readInsights(state: InsightsState, section: LoadedSection | undefined): Sliced<void> {
  if (section === undefined || section.version !== VERSION) {
    const message = "The question log was written by a newer version of Loredex: use that one.";
    throw new LoredexError("UNSUPPORTED_FORMAT", message);
  }
  for (const { meta } of entriesOf(section.bytes)) {
    // Boundary: the section's checksum has been verified, and questions are checked below.
    const part = meta as Part;
    if (part.part === "counters") {
      const { part: _, ...counters } = part;
      Object.assign(state, counters);
    } else if (part.part === "weeks") for (const [week, figures] of part.weeks) state.weeks.set(week, figures);
    else if (part.part === "golden") state.golden = part.golden;
    else if (part.part === "run") state.runs.push(part.run);
    else if (part.part === "question") enter(state, part.question);
    else for (const [id, atMs] of part.found) state.found.set(id, atMs);
    yield;
  }
}

function enter(state: InsightsState, question: LoggedQuestion): void {
  checkQuestion(question);
  state.questions.push(question);
  state.units += unitsOf(question);
}

/** Checks what a record has brought, so that later code can rely on it. @throws TypeError, RangeError */
function checkLast(state: InsightsState, record: InsightsRecord): void {
  const last = record.kind === "asked" ? state.questions.at(-1) : undefined;
  if (last !== undefined) checkQuestion(last);
}

function checkQuestion({ number, atMs, question, score }: LoggedQuestion): void {
  const isWhole = Number.isSafeInteger(number) && typeof question === "string" && typeof score === "number";
  if (!isWhole) throw new TypeError("a question has no number, text or score");
  // Throws for an invalid time.
  new Date(atMs).toISOString();
}
