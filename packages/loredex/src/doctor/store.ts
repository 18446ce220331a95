import { LoredexError } from "@loredex/core";
import type { PostgresCondition } from "@loredex/postgres";
import { examineStore } from "../operator/open-store.ts";
import type { StoreChoice } from "../place.ts";
import { type Check, fine, note, wrong } from "./check.ts";

/** The oldest server that the tables work on. */
const VERSION_MIN = 140_000;
/** A difference of clocks that is worth a note, in milliseconds. */
const CLOCK_MS_MAX = 1_000;
const DATABASE = "database";

/** Checks a database: version, tables, rights, times, and whether acknowledged writes can be lost. Changes nothing. */
export async function checkStore(store: StoreChoice): Promise<Check[]> {
  try {
    return storeChecks(await examineStore(store));
  } catch (error) {
    if (!(error instanceof LoredexError)) throw error;
    return [wrong(DATABASE, error)];
  }
}

/** The checks of what a database said of itself. */
export function storeChecks(condition: PostgresCondition): Check[] {
  const { version, versionNumber, isReadOnly, roundTripMs, clockAheadMs } = condition;
  const oldest = Math.floor(VERSION_MIN / 10_000);
  const clock = `its clock is ${Math.abs(clockAheadMs).toFixed(0)} ms ${clockAheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  return [
    versionNumber < VERSION_MIN
      ? wrong(DATABASE, { message: `PostgreSQL ${version}: ${oldest} or newer is needed.` })
      : fine(DATABASE, `PostgreSQL ${version}`),
    ...(isReadOnly
      ? [wrong("writes", { message: "The server only reads, as a standby does: name the primary." })]
      : []),
    checkTables(condition),
    checkRights(condition),
    fine("round trip", `${roundTripMs.toFixed(2)} ms, the median of 20`),
    Math.abs(clockAheadMs) > CLOCK_MS_MAX
      ? note("clock", { message: `${clock}. Nodes use the database's for windows and leases; logs of both differ.` })
      : fine("clock", clock),
    ...checkDurability(condition),
  ];
}

function checkTables({ schema, schemaVersion: found, schemaVersionMade: made, mayMigrate }: PostgresCondition): Check {
  const name = "tables";
  if (found >= made && found <= made + 1) return fine(name, `version ${found} in the schema "${schema}"`);
  if (found > made) {
    return wrong(name, {
      message: `The tables have version ${found}, which is newer than this Loredex: install a newer one.`,
    });
  }
  const state = found === 0 ? "There are no tables yet" : `The tables have version ${found}, and ${made} is the newest`;
  if (mayMigrate) return note(name, { message: `${state}; the next start makes them, or "loredex store migrate".` });
  const message = `${state}, and this role may not make them: run "loredex store migrate" as their owner.`;
  return found === 0 || found < made - 1 ? wrong(name, { message }) : note(name, { message });
}

function checkRights({ role, lackingRights, mayMigrate }: PostgresCondition): Check {
  if (lackingRights.length > 0) {
    return wrong("role", {
      message: `The role ${role} lacks rights: ${lackingRights.join(", ")}. Grant them: docs/postgres.md, The role.`,
    });
  }
  return fine("role", `${role}, which may ${mayMigrate ? "also make and change tables" : "not change tables"}`);
}

/** Settings with which an acknowledged write can be lost. They may be intended. */
function checkDurability({ synchronousCommit, fsync, standbys = 0, synchronousStandbys }: PostgresCondition): Check[] {
  const name = "durability";
  const risks: string[] = [];
  if (fsync === "off") risks.push("fsync is off: a crash of the machine can destroy the database.");
  if (synchronousCommit === "off") {
    risks.push("synchronous_commit is off: a crash of the server loses the last acknowledged writes. Set it to on.");
  } else if (synchronousCommit === "local") {
    risks.push(
      "synchronous_commit is local: a fail-over to a standby loses the last acknowledged writes. Set it to on.",
    );
  }
  if (standbys > 0 && synchronousStandbys === "") {
    risks.push(
      `${standbys} standby${standbys === 1 ? "" : "s"}, and none is synchronous: a fail-over loses the last acknowledged writes. Set synchronous_standby_names.`,
    );
  }
  if (risks.length > 0) return risks.map((message) => note(name, { message }));
  return [fine(name, synchronousStandbys === "" ? "writes are on the server's disk" : "writes are on a standby too")];
}
