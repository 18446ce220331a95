import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { ADMINISTRATION } from "../../src/administration/admin-records.ts";
import { RecordedState } from "../../src/log/recorded-state.ts";
import type { AdminRecord } from "../../src/model/records.ts";
import type { Storage } from "../../src/storage/store.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { TestClock } from "../support/test-clock.ts";

/** The state of the administration is what its records say, live as after a start. */

const name = fc.constantFrom("anna", "bea", "__proto__");
const publicId = fc.constantFrom("1", "2", "3").map((digit) => digit.repeat(16));
const sha256 = fc.constantFrom("4", "5", "6", "7").map((digit) => digit.repeat(64));
// A few minutes, so that failures and sessions expire.
const atMs = fc.integer({ min: 0, max: 40 }).map((minutes) => minutes * 60_000);
const bot = fc.constantFrom("a".repeat(24), "b".repeat(24));
const key = fc.record(
  {
    publicId,
    sha256,
    name,
    scope: fc.constantFrom("write", "read"),
    bots: fc.array(bot, { minLength: 1 }),
    createdAtMs: atMs,
  },
  { requiredKeys: ["publicId", "sha256", "name", "scope", "createdAtMs"] },
);
const change = fc.record(
  { atMs, by: name, action: fc.constant("article deleted"), bot, target: fc.string({ maxLength: 5 }) },
  { requiredKeys: ["atMs", "by", "action"] },
);

const RECORDS: { readonly [Kind in AdminRecord["kind"]]: fc.Arbitrary<unknown> } = {
  adminKeySet: fc.oneof(
    key.map((set) => ({ kind: "adminKeySet", name: set.name, key: set })),
    name.map((revoked) => ({ kind: "adminKeySet", name: revoked })),
  ),
  sessionOpen: fc.record({
    kind: fc.constant("sessionOpen"),
    session: fc.record({ sha256, key: name, keyId: publicId, expiresAtMs: atMs }),
    openedAtMs: atMs,
  }),
  sessionClose: fc.record({ kind: fc.constant("sessionClose"), sha256 }),
  changeNote: fc.record({ kind: fc.constant("changeNote"), change }),
  signInFail: fc.record({
    kind: fc.constant("signInFail"),
    address: fc.constantFrom("192.0.2.1", "2001:db8:0:0::/64"),
    atMs,
  }),
};

// Boundary: fast-check knows only by their names which of the fields may be absent.
const records = fc.array(fc.oneof(...Object.values(RECORDS)), { maxLength: 40 }) as fc.Arbitrary<AdminRecord[]>;

function openState(storage: Storage) {
  return new RecordedState({
    kind: ADMINISTRATION,
    storage,
    logger: ({ event }) => expect.fail(event),
    clock: new TestClock(),
    chance: () => 0,
    sleep: async () => undefined,
    idleSleep: async () => undefined,
  });
}

it("records give the same state live and in replay, with a snapshot anywhere among them", async () => {
  await fc.assert(
    fc.asyncProperty(records, fc.nat({ max: 40 }), async (written, snapshotAt) => {
      const storage = await openOn(simulatedDisk());
      const states: unknown[] = [];
      for (const each of [written, []]) {
        const recorded = openState(storage);
        await recorded.catchUp();
        for (const [index, record] of each.entries()) {
          if (index === snapshotAt) await recorded.purge();
          await recorded.exclusively(() => recorded.commit(record));
        }
        const { keys, sessions, changes, failures, sequence } = recorded.state;
        states.push(structuredClone([[...keys], [...sessions], changes, [...failures], sequence]));
        await recorded.close();
      }
      await storage.close();
      expect(states[1]).toEqual(states[0]);
    }),
    { numRuns: lawRuns(300) },
  );
});

it("no session outlives its key, and nothing grows without bound", () => {
  fc.assert(
    fc.property(records, (written) => {
      const state = ADMINISTRATION.empty();
      for (const [index, record] of written.entries()) {
        ADMINISTRATION.apply(state, record, index + 1);
        if (record.kind === "adminKeySet")
          expect([...state.sessions.values()].filter((session) => session.key === record.name)).toEqual([]);
        for (const times of state.failures.values()) expect(times.length).toBeLessThanOrEqual(10);
      }
    }),
    { numRuns: lawRuns(300) },
  );
});
