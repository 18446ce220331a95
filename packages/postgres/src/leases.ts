import { randomUUID } from "node:crypto";
import type { Lease } from "@loredex/core";
import type { Database } from "./database.ts";

/** Days without a use after which something counts as unused. */
const UNUSED_DAYS = 7;
/** A use is noted again after this time. */
export const NOTED_MS = 86_400_000;

/** A time of the server, this many milliseconds from now: `$4`. */
const UNTIL = "clock_timestamp() + $4 * interval '1 millisecond'";

/** Takes a job of a store for `ms` milliseconds; undefined while another node has it. The row stays when the lease ends, so that tokens rise. */
export async function lease(database: Database, store: string, job: string, ms: number): Promise<Lease | undefined> {
  const leases = database.table("leases");
  // A repeated statement finds its own lease.
  const rows = await database.ask<{ token: number }>(
    `insert into ${leases} as held (store, job, token, holder, until) values ($1, $2, 1, $3, ${UNTIL})
    on conflict (store, job) do update set holder = excluded.holder, until = excluded.until,
      token = case when held.holder = excluded.holder then held.token else held.token + 1 end
    where held.until <= clock_timestamp() or held.holder = excluded.holder returning token`,
    [store, job, randomUUID(), ms],
  );
  const token = rows[0]?.token;
  if (token === undefined) return undefined;
  let isReleased = false;
  const renew = async (forMs: number): Promise<boolean> => {
    const renewed = await database.ask(
      `update ${leases} set until = ${UNTIL} where store = $1 and job = $2 and token = $3 returning 1`,
      [store, job, token, forMs],
    );
    return renewed.length > 0;
  };
  return {
    token,
    renew: async (forMs) => !isReleased && (await renew(forMs)),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      await renew(0).catch(() => undefined);
    },
  };
}

/**
 * The statement that notes a use: `$1` is the store, and `use` an expression for the name of what is used. It is a lease that nobody holds: the server's
 * clock decides when it has ended. A use that was noted within the last day is not written again.
 */
export function noteOf(database: Database, use: string): string {
  return `insert into ${database.table("leases")} as noted (store, job, token, holder, until)
    values ($1, ${use}, 0, $1, clock_timestamp() + interval '${UNUSED_DAYS} days')
    on conflict (store, job) do update set until = excluded.until
    where noted.until < excluded.until - ${NOTED_MS} * interval '1 millisecond'`;
}
