import { CLOCK, type Database } from "./database.ts";

const WINDOW_MS = 60_000;
/** Up to this limit each request has its own millisecond; above it, requests of 100 ms are counted together, so that a row stays small. */
const EXACT_MAX = 1_000;
const COARSE_MS = 100;

/**
 * Counts a request under a name if fewer than `perMinute` were counted in the last 60 seconds, and resolves with 0. Otherwise resolves with the
 * milliseconds until it would. Above 1,000 a minute a request may count up to 100 ms longer.
 */
export async function admit(database: Database, name: string, perMinute: number): Promise<number> {
  const width = perMinute > EXACT_MAX ? COARSE_MS : 1;
  // The instant of an entry is its last one: it is counted for a whole minute.
  const now = `(ceil(${CLOCK} / $3) * $3)::bigint`;
  const requests = database.table("requests");
  // One instant for the whole statement: with a clock for each place, an entry that leaves the window meanwhile would have a count and no time.
  const within = `select t, n from unnest(held.times, held.counts) as e (t, n) where t > excluded.times[1] - $3 - ${WINDOW_MS}`;
  const stored = inAscii(name);
  const rows = await database.ask(
    `insert into ${requests} as held (name, times, counts) select $1, array[${now}], array[1::bigint] where $2 > 0
    on conflict (name) do update set
      times = (select array_agg(t order by t) from (select t from (${within}) as e union select excluded.times[1]) as e),
      counts = (select array_agg(n order by t) from (
        select t, sum(n)::bigint as n from (${within} union all select excluded.times[1], 1) as e group by t) as e)
    where (select coalesce(sum(n), 0) from (${within}) as e) < $2 returning 1`,
    [stored, perMinute, width],
  );
  if (rows.length > 0) return 0;
  return untilAdmitted(database, stored, perMinute);
}

/** A name that every database can hold: no text of PostgreSQL has the character NUL, and one in LATIN1 has few others. Different names stay different. */
function inAscii(name: string): string {
  return name.replaceAll(/[^ -[\]-~]/g, (unit) => `\\${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Milliseconds until enough counted requests are a minute old. */
async function untilAdmitted(database: Database, name: string, perMinute: number): Promise<number> {
  const [held] = await database.ask<{ times: string[]; counts: string[]; clock: number }>(
    `select times::text[] as times, counts::text[] as counts, ${CLOCK} as clock from ${database.table("requests")} where name = $1`,
    [name],
  );
  if (held === undefined || perMinute <= 0) return WINDOW_MS;
  // From the newest: once the limit is reached, the entry must leave the window.
  let counted = 0;
  for (let i = held.times.length - 1; i >= 0; i -= 1) {
    counted += Number(held.counts[i]);
    if (counted >= perMinute) return Math.max(1, Math.ceil(Number(held.times[i]) + WINDOW_MS - held.clock));
  }
  return 1;
}

/** Deletes the counts of keys that have sent nothing for a while: of removed keys, and of those that rest. */
export async function sweepRequests(database: Database): Promise<void> {
  await database.ask(
    `delete from ${database.table("requests")} where times[cardinality(times)] < ${CLOCK} - 2 * ${WINDOW_MS}`,
    [],
    { isBulk: true },
  );
}
