import { randomBytes, randomUUID } from "node:crypto";
import type { Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import pg from "pg";
import { type Place, placeAfter } from "../../../packages/postgres/src/chain.ts";
import { appendRecords } from "../../../packages/postgres/src/records.ts";
import { median, percentile, spreadOf } from "../../measuring/measures.ts";
import type { Lengths, Measured } from "./measured.ts";

/**
 * Appends through the port, beside the same SQL statement sent by `pg` alone, over the same number of connections, in turn with it. On one bot the bare
 * statement has one in flight at most: each names the head that the one before it made. The port sends those that wait as one append.
 */

/** As the default of `--store-connections`. */
const CONNECTIONS = 10;
const RECORD_BYTES = 400;
/** Stores without an engine are no bots, so they are kept apart from those of the other measurements. */
const PORT_SCHEMA = "port";
const BARE_SCHEMA = "bare";
const SHAPES = [
  { bots: 1, inFlight: 1 },
  { bots: 1, inFlight: 64 },
  { bots: 64, inFlight: 64 },
];

interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function measureAppends(url: string, { rounds, ms }: Lengths): Promise<Measured> {
  const all = new Map<string, Rate[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const shape of SHAPES) {
      for (const measured of round % 2 === 0 ? [port, bare] : [bare, port]) {
        const name = nameOf(measured, shape);
        all.set(name, [...(all.get(name) ?? []), await measured(url, shape, ms)]);
      }
    }
  }
  const rows = SHAPES.flatMap((shape) => {
    const middle = (measured: typeof port, figure: keyof Rate): number =>
      median((all.get(nameOf(measured, shape)) ?? []).map((rate) => rate[figure]));
    return [port, bare].map((measured) => ({
      appends: measured === port ? "port" : "bare statement",
      bots: shape.bots,
      "in flight": measured === bare ? Math.min(shape.inFlight, shape.bots) : shape.inFlight,
      "appends/s": middle(measured, "perSecond"),
      "p50 ms": middle(measured, "p50Ms"),
      "p99 ms": middle(measured, "p99Ms"),
      "× bare": middle(measured, "perSecond") / middle(bare, "perSecond"),
      spread: spreadOf((all.get(nameOf(measured, shape)) ?? []).map(({ perSecond }) => perSecond)),
    }));
  });
  const aims = SHAPES.map(({ bots, inFlight }, i) => ({
    what: `${inFlight} in flight, ${bots} bots: appends × bare`,
    measured: rows[2 * i]?.["× bare"],
    aim: 0.7,
    is: "at least" as const,
  }));
  return { rows, aims };
}

type Shape = (typeof SHAPES)[number];

function nameOf(measured: typeof port, { bots, inFlight }: Shape): string {
  return `${measured.name} ${bots} ${inFlight}`;
}

/** Appends by `inFlight` writers at once until the time is over, each to one of the bots. */
async function rateOf(
  inFlight: number,
  ms: number,
  append: (writer: number, payload: Buffer) => Promise<unknown>,
): Promise<Rate> {
  const times: number[] = [];
  const payload = randomBytes(RECORD_BYTES);
  const start = performance.now();
  const write = async (writer: number): Promise<void> => {
    for (let now = performance.now(); now - start < ms; ) {
      await append(writer, payload);
      const ended = performance.now();
      times.push(ended - now);
      now = ended;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, writer) => write(writer)));
  const seconds = (performance.now() - start) / 1_000;
  return { perSecond: times.length / seconds, p50Ms: median(times), p99Ms: percentile(times, 0.99) };
}

async function port(url: string, { bots, inFlight }: Shape, ms: number): Promise<Rate> {
  const storage = await openPostgres(url, { connections: CONNECTIONS, schema: PORT_SCHEMA });
  const stores: Store[] = [];
  try {
    for (let bot = 0; bot < bots; bot += 1) {
      const name = `bench-${randomUUID()}`;
      await storage.create(name);
      const store = await storage.open(name);
      await store.recover({ snapshot: () => undefined, record: () => undefined });
      stores.push(store);
    }
    const append = (writer: number, payload: Buffer) => stores[writer % bots]?.append(payload) ?? Promise.resolve();
    return await rateOf(inFlight, ms, append);
  } finally {
    for (const store of stores) await store.close();
    await storage.close();
  }
}

interface BareBot {
  readonly store: string;
  readonly generation: string;
  place: Place;
}

/** The statement of `records.ts`, without queues, batches, leases and retries. */
async function bare(url: string, { bots, inFlight }: Shape, ms: number): Promise<Rate> {
  const known = await bareBots(url, bots);
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const database = {
    ask: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    table: (name: string) => `"${BARE_SCHEMA}".${name}`,
  };
  try {
    return await rateOf(Math.min(inFlight, bots), ms, async (writer, payload) => {
      const bot = known[writer];
      if (bot === undefined) return;
      const place = placeAfter(bot.place, payload);
      const isStored = await appendRecords(database, bot, bot.place, [{ place, payload }], randomUUID());
      if (!isStored) throw new Error("Nobody else writes to this bot, and its head has moved.");
      bot.place = place;
    });
  } finally {
    await pool.end();
  }
}

/** New stores in a schema of their own, with their heads. */
async function bareBots(url: string, count: number): Promise<BareBot[]> {
  const storage = await openPostgres(url, { schema: BARE_SCHEMA });
  const pool = new pg.Pool({ connectionString: url });
  try {
    const before = new Set((await headsIn(pool)).map(({ store }) => store));
    for (let bot = 0; bot < count; bot += 1) await storage.create(`bench-${randomUUID()}`);
    return (await headsIn(pool)).filter(({ store }) => !before.has(store));
  } finally {
    await pool.end();
    await storage.close();
  }
}

async function headsIn(pool: pg.Pool): Promise<BareBot[]> {
  const { rows } = await pool.query<{ store: string; generation: string; head: string; digest: Buffer; ends: string }>(
    `select store, generation, head, digest, ends from "${BARE_SCHEMA}".heads`,
  );
  return rows.map(({ store, generation, head, digest, ends }) => ({
    store,
    generation,
    place: { sequence: Number(head), digest, ends: Number(ends) },
  }));
}
