import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { recoverBot } from "../../src/background/recovery.ts";
import { apply } from "../../src/log/apply.ts";
import { Commits } from "../../src/log/commits.ts";
import { newestVersionNumber } from "../../src/log/newest-version.ts";
import { RECORD_KINDS } from "../../src/log/record-kinds.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import { stateSections } from "../../src/log/state-sections.ts";
import type { BotRecord } from "../../src/model/records.ts";
import type { BotInfo } from "../../src/model/types.ts";
import { BotCapacity } from "../../src/quotas/bot-capacity.ts";
import { TimeSlices } from "../../src/scheduling/time-slices.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { NEWEST, WRITTEN, type Written } from "../support/record-arbitraries.ts";
import { TestClock } from "../support/test-clock.ts";

/** Everything that a state says. A field of the state that is not read here does not compile. */
const READINGS: { readonly [Field in keyof BotState]: (state: BotState) => unknown } = {
  articles: ({ articles }) => [articles.bytes, ...articles.values()],
  documents: ({ documents }) => [documents.bytes, ...documents.values()],
  sources: ({ sources }) => sources.all().map((source) => [source, sources.info(source)]),
  vectors: ({ vectors }) =>
    [...vectors].map(([id, { codes, ...rest }]) => [id, rest, [...codes], vectors.countOf(rest.texts)]),
  agents: ({ agents }) => [...agents],
  channels: ({ channels }) => [...channels],
  vocabulary: ({ vocabulary }) => [vocabulary.current, vocabulary.heapBytes],
  characterUsed: (state) => state.characterUsed,
  window: ({ window, lastChargeMs }) => [window.used(lastChargeMs), window.admissions()],
  byteWindow: ({ byteWindow, lastChargeMs }) => [byteWindow.used(lastChargeMs), byteWindow.admissions()],
  lastChargeMs: (state) => state.lastChargeMs,
  lastCreatedAtMs: (state) => state.lastCreatedAtMs,
  creates: ({ creates }) => creates.all(),
  sequence: (state) => state.sequence,
};

/** A copy, since later records change the state. */
function read(state: BotState): unknown {
  const fields = Object.entries(READINGS).map(([field, reading]) => [field, reading(state)]);
  return structuredClone(Object.fromEntries(fields));
}

/** The record with the number of its document's newest version, where it asks for that. */
function resolved(record: BotRecord, state: BotState): BotRecord {
  if (record.kind !== "vectors" || record.version !== NEWEST) return record;
  return { ...record, version: newestVersionNumber(state, record.id) ?? NEWEST };
}

const kinds = Object.keys(RECORD_KINDS) as BotRecord["kind"][];
const any = fc.oneof(...kinds.map((kind) => WRITTEN[kind]));

/** Records of other kinds that come before, so that a record finds what it changes. */
const before = fc.tuple(WRITTEN.articlePut, WRITTEN.documentBrought, fc.array(any, { maxLength: 8 }));

/** Writes records as every write is written, with a snapshot before the record at `snapshotAt`. Returns the live state, and the state after a start. */
async function livedAndReplayed(written: readonly Written[], snapshotAt: number | undefined): Promise<unknown[]> {
  const storage = await openOn(simulatedDisk());
  await storage.create("bot");
  const store = await storage.open("bot");
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  const state = emptyState();
  const commits = new Commits({
    state,
    append: (payload, onFailed, frees) => store.append(payload, onFailed, frees),
    onApplied: () => undefined,
    room: new BotCapacity(() => 0),
    onFull: () => undefined,
  });
  for (const [i, { record, binary }] of written.entries()) {
    if (i === snapshotAt) await store.writeSnapshot(state.sequence, stateSections(state));
    await commits.commit(resolved(record, state), binary === undefined ? {} : { binary });
  }
  await store.close();
  const [clock, analyzer] = [new TestClock(), (await analyzerOf("en")) ?? expect.fail()];
  // Boundary: recovery reads the id alone.
  const deps = { analyzer, info: () => ({ id: "bot" }) as BotInfo, logger: () => undefined };
  const again = await storage.open("bot");
  const replayed = await recoverBot({ ...deps, store: again }, new TimeSlices(clock));
  await again.close();
  await storage.close();
  return [read(state), read(replayed.state)];
}

describe.each(kinds)("a record of the kind %s", (kind) => {
  it("gives the same state live and in replay, of the log alone and behind a snapshot", async () => {
    const snapshot = fc.option(fc.nat({ max: 12 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(before, WRITTEN[kind], snapshot, async ([article, document, others], record, snapshotAt) => {
        const [lived, replayed] = await livedAndReplayed([article, document, ...others, record], snapshotAt);
        expect(replayed).toEqual(lived);
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it("changes the state in some of those lives", () => {
    const lives = fc.sample(fc.tuple(before, WRITTEN[kind]), { numRuns: 300, seed: 1 });
    const changed = lives.filter(([[article, document, others], { record, binary }]) => {
      const state = emptyState();
      for (const [i, written] of [article, document, ...others].entries()) {
        apply(state, resolved(written.record, state), i + 1, written.binary);
      }
      const { sequence } = state;
      const known = read(state);
      apply(state, resolved(record, state), sequence + 1, binary);
      state.sequence = sequence;
      return JSON.stringify(read(state)) !== JSON.stringify(known);
    });
    expect(changed.length).toBeGreaterThan(0);
  });
});
