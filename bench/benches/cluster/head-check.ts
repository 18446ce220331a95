import { Engine } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import pg from "pg";
import { median, percentile } from "../../measuring/measures.ts";
import type { FilledBots } from "./filled-bots.ts";
import { type Lengths, type Measured, timesOf } from "./measured.ts";

/** What the check of a head costs: alone, and in a search that is asked with it and, by another node of this process, without. Each beside the other, in turn. */

/** No search of the node without checks is this far behind. */
const NEVER_CHECKED_MS = 60_000;

export async function measureHeadCheck(url: string, filled: FilledBots, { rounds }: Lengths): Promise<Measured> {
  const [id = ""] = filled.bots.map((bot) => bot.id);
  const storages = [await openPostgres(url), await openPostgres(url), await openPostgres(url)] as const;
  const [bare, fresh, stale] = storages;
  const pool = new pg.Pool({ connectionString: url });
  const engines = [
    await Engine.open({ storage: fresh }),
    await Engine.open({ storage: stale, maxStalenessMs: NEVER_CHECKED_MS }),
  ];
  const times = new Map<string, number[]>();
  const note = async (what: string, count: number, call: (index: number) => Promise<unknown>): Promise<void> =>
    void times.set(what, [...(times.get(what) ?? []), ...(await timesOf(count, call))]);
  try {
    const store = await bare.open(`bot-${id}`);
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    const [withCheck, without] = await Promise.all(engines.map((engine) => engine.bot(id)));
    const { questions } = filled;
    const question = (index: number): string => questions[index % questions.length] ?? "";
    const warm = Math.ceil(questions.length / 4);
    await timesOf(warm, (index) => withCheck?.search(question(index)) ?? Promise.resolve());
    await timesOf(warm, (index) => without?.search(question(index)) ?? Promise.resolve());
    for (let round = 0; round < rounds; round += 1) {
      await note("select 1, by pg", questions.length, () => pool.query("select 1"));
      await note("follow, nothing new", questions.length, async () => store.shared?.follow(() => undefined));
      await note("search with check", questions.length, async (index) => withCheck?.search(question(index)));
      await note("search without", questions.length, async (index) => without?.search(question(index)));
    }
    await store.close();
  } finally {
    for (const engine of engines) await engine.close();
    await bare.close();
    await pool.end();
  }
  const rows = [...times].map(([what, all]) => ({
    what,
    passages: filled.passages,
    "p50 ms": median(all),
    "p99 ms": percentile(all, 0.99),
  }));
  const p50 = (what: string): number => median(times.get(what) ?? []);
  const price = p50("search with check") - p50("search without");
  return {
    rows,
    aims: [{ what: "price of the check in a search, p50 ms", measured: price, aim: 1, is: "at most" }],
  };
}
