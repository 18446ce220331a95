import type { PostgresCondition } from "@loredex/postgres";
import { expect, it } from "vitest";
import { storeChecks } from "../../src/doctor/store.ts";

const GOOD: PostgresCondition = {
  version: "18.1",
  versionNumber: 180_001,
  role: "loredex",
  schema: "loredex",
  schemaVersion: 3,
  schemaVersionMade: 3,
  lackingRights: [],
  mayMigrate: false,
  isReadOnly: false,
  roundTripMs: 0.254,
  clockAheadMs: -12.4,
  synchronousCommit: "on",
  fsync: "on",
  standbys: 0,
  synchronousStandbys: "",
};

/** The checks that are not fine, as `name state`. */
const told = (changed: Partial<PostgresCondition>): string[] =>
  storeChecks({ ...GOOD, ...changed }).flatMap(({ name, state }) => (state === "ok" ? [] : [`${name} ${state}`]));

it("a good database has nothing to tell", () => {
  expect(told({})).toEqual([]);
  expect(storeChecks(GOOD).map(({ message }) => message)).toContain("0.25 ms, the median of 20");
  expect(storeChecks(GOOD).map(({ message }) => message)).toContain("its clock is 12 ms behind this machine's");
});

it.each<[Partial<PostgresCondition>, string]>([
  [{ versionNumber: 130_010 }, "database wrong"],
  [{ isReadOnly: true }, "writes wrong"],
  [{ schemaVersion: 0 }, "tables wrong"],
  [{ schemaVersion: 0, mayMigrate: true }, "tables note"],
  [{ schemaVersion: 2 }, "tables note"],
  [{ schemaVersion: 1 }, "tables wrong"],
  [{ schemaVersion: 5 }, "tables wrong"],
  [{ lackingRights: ["insert on x"] }, "role wrong"],
  [{ clockAheadMs: 1_001 }, "clock note"],
  [{ fsync: "off" }, "durability note"],
  [{ synchronousCommit: "off" }, "durability note"],
  [{ synchronousCommit: "local", standbys: 1, synchronousStandbys: "b" }, "durability note"],
  [{ standbys: 2 }, "durability note"],
])("of %j it tells: %s", (changed, line) => {
  expect(told(changed)).toEqual([line]);
});

it("a newer version by one, synchronous standbys and a server that does not tell of standbys are fine", () => {
  expect(told({ schemaVersion: 4 })).toEqual([]);
  expect(told({ standbys: 1, synchronousStandbys: "b" })).toEqual([]);
  expect(told({ standbys: undefined })).toEqual([]);
});
