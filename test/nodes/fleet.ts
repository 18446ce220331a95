/** Three node processes on one PostgreSQL, and everything that was ever stored there. */

import { Engine } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import pg from "pg";
import { onTestFinished } from "vitest";
import { storeName } from "../../packages/core/src/catalog/store-names.ts";
import { decodeBotRecord } from "../../packages/core/src/log/record-codec.ts";
import type { BotRecord } from "../../packages/core/src/model/records.ts";
import { sql } from "../../packages/postgres/test/support/server.ts";
import type { NodeSettings } from "./node-calls.ts";
import { NodeProcess } from "./node-process.ts";

export const PLENTY = 1_000_000_000;

export interface FleetSettings extends Partial<NodeSettings> {
  /** The address of the database itself. */
  readonly url: string;
  readonly schema: string;
  /** Default 3. */
  readonly nodes?: number;
}

export interface FleetBot {
  readonly id: string;
  readonly key: string;
  readonly quotaCharacters: number;
  readonly rateCharactersPerMinute: number;
}

/** A record as it was stored, whether or not it has been deleted since. */
export interface StoredRecord {
  readonly sequence: number;
  /** The time of the database, in milliseconds since the epoch. */
  readonly storedMs: number;
  readonly record: BotRecord;
}

export class Fleet {
  readonly nodes: readonly NodeProcess[];
  #url: string;
  readonly #schema: string;

  private constructor({ url, schema, nodes = 3, ...settings }: FleetSettings) {
    this.#url = url;
    this.#schema = schema;
    this.nodes = Array.from({ length: nodes }, () => new NodeProcess({ store: url, schema, ...settings }));
  }

  /** Starts the nodes all at once on an empty database. They end with the test. */
  static async open(settings: FleetSettings): Promise<Fleet> {
    const fleet = new Fleet(settings);
    onTestFinished(() => fleet.kill());
    await Promise.all(fleet.nodes.map((node) => node.start()));
    await fleet.#keepRecords();
    return fleet;
  }

  /** Makes bots, whose limits are out of the way unless given. */
  async newBots(
    count: number,
    limits: Partial<Pick<FleetBot, "quotaCharacters" | "rateCharactersPerMinute">> = {},
  ): Promise<FleetBot[]> {
    const settings = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY, ...limits };
    const engine = await Engine.open({
      storage: await openPostgres(this.#url, { schema: this.#schema }),
      embedders: {},
    });
    try {
      const made: FleetBot[] = [];
      for (let i = 0; i < count; i++) {
        const { bot, key } = await engine.createBot({ name: `bot ${i} of ${engine.listBots().length}`, ...settings });
        made.push({ id: bot.id, key, ...settings });
      }
      return made;
    } finally {
      await engine.close();
    }
  }

  async newBot(limits: Partial<Pick<FleetBot, "quotaCharacters" | "rateCharactersPerMinute">> = {}): Promise<FleetBot> {
    const [bot] = await this.newBots(1, limits);
    if (bot === undefined) throw new Error("no bot was made");
    return bot;
  }

  /** All records that were ever stored for a bot, in order. */
  async stored({ id }: FleetBot): Promise<StoredRecord[]> {
    const rows = await this.sql(
      `select sequence::int as sequence, payload, (extract(epoch from at) * 1000)::float8 as at from S.kept
      where store = (select store from S.names where name = $1) order by sequence, at`,
      [storeName(id)],
    );
    return rows.map(({ sequence, payload, at }) => ({
      sequence: Number(sequence),
      storedMs: Number(at),
      record: decodeBotRecord(Number(sequence), payload as Buffer).record,
    }));
  }

  /** Sends a statement past the nodes; `S` stands for the schema. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return sql(this.#url, text.replaceAll("S.", `"${this.#schema}".`), values);
  }

  /** Makes statements that write to a table wait until the release. */
  async hold(table: string): Promise<{ release(): Promise<void> }> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    await client.query(`begin; lock table "${this.#schema}".${table} in share mode`);
    return { release: () => client.query("commit").then(() => client.end()) };
  }

  /** The database itself is at this address from now on. */
  moved(url: string): void {
    this.#url = url;
  }

  async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }

  /** From now on each stored record is copied, in its own transaction: snapshots delete records. And each step back of a head is noted. */
  async #keepRecords(): Promise<void> {
    await this.sql(
      `create table S.kept (store uuid, sequence bigint, payload bytea, at timestamptz);
      create function S.keep() returns trigger language plpgsql as
        $$ begin insert into S.kept values (new.store, new.sequence, new.payload, clock_timestamp()); return null; end $$;
      create trigger keep after insert on S.records for each row execute function S.keep();
      create table S.steps_back (store uuid);
      create function S.note_step_back() returns trigger language plpgsql as
        $$ begin insert into S.steps_back values (new.store); return null; end $$;
      create trigger note_step_back after update on S.heads for each row
        when (new.head < old.head or (new.generation = old.generation and new.snapshot_sequence < old.snapshot_sequence))
        execute function S.note_step_back();`,
    );
  }
}
