import { type LoredexError, Semaphore, type StatementEvent, type StatementKind } from "@loredex/core";
import pg from "pg";
import {
  failureOf,
  isTooSlow,
  READ_ONLY,
  reasonIn,
  refusedError,
  sqlStateOf,
  TOO_MANY,
  TooLate,
  tooSlow,
  unreachable,
} from "./errors.ts";
import type { Settings } from "./options.ts";
import { Probe } from "./probe.ts";
import { StorageClock } from "./storage-clock.ts";
import { TidyClient } from "./tidy-client.ts";

/** How a statement is sent. */
export interface Asking {
  /** It moves many bytes or rows: it may take longer, and only half of the connections are for such. Default false. */
  readonly isBulk?: boolean;
  /** Default: `bulk` or `other`. */
  readonly kind?: StatementKind;
  /** Called when an answer was lost, before the statement is sent again: the server may have executed it. */
  readonly onLost?: () => void;
}

interface Tries {
  readonly isBulk: boolean;
  readonly onLost: (() => void) | undefined;
  /** Called before a statement is sent again. */
  readonly onAgain: () => void;
}

/** Milliseconds between two probes of a server that does not answer. */
const PROBE_MS = 250;
/** The shortest timeout of a bulk statement, in milliseconds. */
const BULK_MS_MIN = 30_000;
/** Milliseconds before a statement is sent again. */
const AGAIN_MS = 25;

/** How long the pool of a crowded server asks for no further connection, in milliseconds. */
const CROWDED_MS = 10_000;
/** The pool's error for a statement that waited too long for one of its connections. It has fewer than there are statements only if the server is crowded. */
const QUEUED_TOO_LONG = "timeout exceeded when trying to connect";

/** The server's clock, in milliseconds since the epoch. For the column `clock` of any answer. */
export const CLOCK = "(extract(epoch from clock_timestamp()) * 1000)::float8";
/** Whether the server refuses writes, as a standby does. */
export const READS_ONLY = "current_setting('transaction_read_only') = 'on'";

/**
 * The server: a pool of connections without state of a session, and the knowledge whether it answers.
 * A statement whose answer was lost is sent again until its time is over. So each must be one that may be executed twice.
 */
export class Database {
  readonly clock = new StorageClock();
  readonly #settings: Settings;
  readonly #all: Semaphore;
  readonly #bulk: Semaphore;
  #pool: pg.Pool;
  /** The connections of the pool that were made: it also counts those that are being made. */
  #made = new Set<pg.PoolClient>();
  #ending: Promise<unknown>[] = [];
  /** The connections of bulk statements that were sent. */
  readonly #bulkClients = new Set<pg.PoolClient>();
  /** Why the server counts as unreachable. */
  #down: LoredexError | undefined;
  #probe: NodeJS.Timeout | undefined;
  #roomAgain: NodeJS.Timeout | undefined;
  readonly #prober = new Probe(`select ${CLOCK} as clock, ${READS_ONLY} as reads_only`);
  #isClosed = false;
  /** Told of each statement that ends. */
  #observer: ((event: StatementEvent) => void) | undefined;
  /** False behind a pooler that refuses settings with a connection. */
  #takesSettings = true;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#all = new Semaphore(settings.connections);
    this.#bulk = new Semaphore(Math.max(1, Math.floor(settings.connections / 2)));
    this.#pool = this.#newPool();
  }

  /** The qualified name of a table. No search path is set, since that would be state of a session. */
  table(name: string): string {
    return `"${this.#settings.schema}".${name}`;
  }

  get schema(): string {
    return this.#settings.schema;
  }

  /** Why the server counts as unreachable; undefined while it answers. */
  get down(): LoredexError | undefined {
    return this.#down;
  }

  /**
   * Sends a statement and resolves with its rows.
   * @throws LoredexError `UNREACHABLE`, at once if that is known; `NO_ACCESS`, `DISK_FULL` or `STORAGE_FAILED` if it was refused
   */
  async ask<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    { isBulk = false, kind = isBulk ? "bulk" : "other", onLost }: Asking = {},
  ): Promise<Row[]> {
    if (this.#down !== undefined) throw this.#down;
    const limitMs = isBulk ? Math.max(BULK_MS_MIN, this.#settings.timeoutMs) : this.#settings.timeoutMs;
    const startedMs = performance.now();
    let [retries, failed] = [0, true];
    const onAgain = (): void => {
      retries += 1;
    };
    const tried = () => this.#tried<Row>(text, values, limitMs, { isBulk, onLost, onAgain });
    try {
      const rows = await (isBulk ? this.#bulk.run(tried) : tried());
      failed = false;
      return rows;
    } finally {
      this.#observer?.({ kind, durationMs: performance.now() - startedMs, retries, failed });
    }
  }

  /** Has a function told of each statement of {@link ask} that ends from now on. It does not throw. */
  observe(observer: (event: StatementEvent) => void): void {
    this.#observer = observer;
  }

  /** Runs statements in one transaction on one connection. They are sent once. */
  async transaction<Result>(
    work: (
      ask: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>,
    ) => Promise<Result>,
  ): Promise<Result> {
    const limitMs = Math.max(BULK_MS_MIN, this.#settings.timeoutMs);
    return this.#all.run(async () => {
      const client = await this.#connected();
      const ask = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
        (await inTime(client.query<Row>(queryOf(text, values)), limitMs)).rows;
      try {
        await ask("begin");
        const result = await work(ask);
        await ask("commit");
        client.release();
        return result;
      } catch (error) {
        // The transaction ends with its connection.
        client.release(true);
        throw error;
      }
    });
  }

  /** Ends all connections. Statements must have ended before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probe);
    clearTimeout(this.#roomAgain);
    await Promise.all([...this.#ending, this.#pool.end()]);
  }

  async #tried<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    limitMs: number,
    { isBulk, onLost, onAgain }: Tries,
  ): Promise<Row[]> {
    // Counts from the first try to send it. The wait for a connection says nothing of the server.
    let endMs = Number.POSITIVE_INFINITY;
    // A statement that was sent is sent again even if the server counts as unreachable meanwhile: only so is its outcome known. That of a bulk statement may stay unknown.
    let wasSent = false;
    for (;;) {
      try {
        const rows = await this.#all.run(async () => {
          if (this.#down !== undefined && (!wasSent || isBulk)) throw this.#down;
          endMs = Math.min(endMs, performance.now() + limitMs);
          const client = await this.#connected();
          wasSent = true;
          return this.#sent<Row>(client, queryOf(text, values), Math.max(1, endMs - performance.now()), isBulk);
        });
        this.#answered(rows);
        return rows;
      } catch (error) {
        if (error === this.#down) throw error;
        const failure = failureOf(error);
        if (failure === "refused") throw refusedError(error);
        const isOver = performance.now() + AGAIN_MS >= endMs;
        const isCrowded = this.#isCrowded(error);
        if (isCrowded && isOver) throw unreachable(reasonIn(error));
        if (isBulk && wasSent && isTooSlow(error)) throw await this.#judged(error);
        if (failure === "lost" && (isOver || !(wasSent || isCrowded) || sqlStateOf(error) === READ_ONLY))
          throw this.#lose(error);
        if (isOver) throw refusedError(error);
        if (failure === "lost" && wasSent) onLost?.();
        onAgain();
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  async #sent<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    query: pg.QueryConfig,
    limitMs: number,
    isBulk = false,
  ): Promise<Row[]> {
    if (isBulk) this.#bulkClients.add(client);
    const release = (isBroken: boolean): void => {
      if (!isBulk || this.#bulkClients.delete(client)) client.release(isBroken);
    };
    try {
      const { rows } = await inTime(client.query<Row>(query), limitMs);
      release(false);
      return rows;
    } catch (error) {
      release(failureOf(error) === "lost");
      throw error;
    }
  }

  async #connected(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      // PgBouncer refuses settings that it does not track. Behind it the role has them.
      if (!this.#takesSettings || !/unsupported startup parameter/.test(reasonIn(error))) throw error;
      this.#takesSettings = false;
      this.#replacePool();
      return this.#pool.connect();
    }
  }

  /**
   * Whether a statement got no connection though the server answers on others. Then the pool makes do with those for some seconds: statements wait in its
   * queue, instead of asking a full server for more.
   */
  #isCrowded(error: unknown): boolean {
    const [pool, connected] = [this.#pool, this.#made.size];
    const isFull = sqlStateOf(error) === TOO_MANY;
    const isQueued = error instanceof Error && error.message === QUEUED_TOO_LONG;
    if (connected === 0 || !(isFull || isQueued)) return false;
    if (isFull) {
      pool.options.max = connected;
      clearTimeout(this.#roomAgain);
      this.#roomAgain = setTimeout(() => {
        pool.options.max = this.#settings.connections;
      }, CROWDED_MS).unref();
    }
    return true;
  }

  #answered(rows: readonly pg.QueryResultRow[]): void {
    this.clock.answered(rows[0]?.clock);
  }

  /** Why a bulk statement has failed that took too long: it may have had too much to do, or the server has fallen silent. A probe tells which. */
  async #judged(error: unknown): Promise<LoredexError> {
    try {
      if (this.#down === undefined && (await this.#probed()) === undefined) return this.#lose(error);
    } catch {
      return this.#lose(error);
    }
    return this.#down ?? tooSlow(reasonIn(error));
  }

  /** Counts the server as unreachable, and asks it now and then. Returns the error for it. */
  #lose(error: unknown): LoredexError {
    const lost = unreachable(reasonIn(error));
    if (this.#isClosed || this.#down !== undefined) return lost;
    this.#down = lost;
    this.clock.fellSilent();
    // A connection may lead to a server that only reads now, or to an address that is another machine's now.
    this.#replacePool();
    this.#breakBulk();
    let isAsking = false;
    this.#probe = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      void this.#asked().finally(() => {
        isAsking = false;
      });
    }, PROBE_MS);
    this.#probe.unref();
    return lost;
  }

  async #asked(): Promise<void> {
    try {
      const server = await this.#probed();
      if (server === undefined) {
        this.#replacePool();
        return;
      }
      clearInterval(this.#probe);
      this.#down = undefined;
      this.#answered([server]);
    } catch {
      // It still does not answer: the next probe asks again, with the password as it is then.
      if (!this.#isClosed) this.#replacePool();
    }
  }

  #probed(): Promise<{ readonly clock: number } | undefined> {
    return this.#prober.ask(async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      this.#sent<Row>(await this.#connected(), queryOf(text, values), this.#settings.timeoutMs),
    );
  }

  /** Ends bulk statements: calls that wait for them would learn only after their long timeout that the server is silent. */
  #breakBulk(): void {
    const clients = [...this.#bulkClients];
    this.#bulkClients.clear();
    for (const client of clients) client.release(true);
  }

  /** Counts a server that only reads as unreachable: what it answers may be old. */
  refuseReader(readsOnly: boolean | undefined): void {
    if (readsOnly === true) throw this.#lose(new Error("the server only reads, as a standby does"));
  }

  #replacePool(): void {
    const old = this.#pool;
    try {
      this.#pool = this.#newPool();
    } catch {
      // The file with the password is away, as while it is being replaced: the old pool asks until it is back.
      return;
    }
    const ended = old.end().finally(() => {
      this.#ending = this.#ending.filter((each) => each !== ended);
    });
    this.#ending.push(ended);
  }

  #newPool(): pg.Pool {
    const { connections, timeoutMs, address } = this.#settings;
    const guards = {
      statement_timeout: 2 * BULK_MS_MIN,
      lock_timeout: BULK_MS_MIN,
      idle_in_transaction_session_timeout: BULK_MS_MIN,
    };
    const pool = new pg.Pool({
      Client: TidyClient,
      connectionString: address(),
      fallback_application_name: "loredex",
      max: connections,
      connectionTimeoutMillis: timeoutMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      types: TYPES,
      ...(this.#takesSettings ? guards : {}),
    });
    // An idle connection that breaks is replaced by the pool. A statement tells of its own: without a listener the process would end.
    pool.on("error", () => undefined);
    const made = new Set<pg.PoolClient>();
    pool.on("connect", (client) => {
      made.add(client);
      client.on("error", () => undefined);
    });
    pool.on("remove", (client) => made.delete(client));
    this.#made = made;
    return pool;
  }
}

const INT8 = 20;
/** Sequence numbers and byte counts are below 2 ** 53. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format === "binary" ? "text" : format),
};

function queryOf(text: string, values: readonly unknown[]): pg.QueryConfig {
  return { text, ...(values.length === 0 ? {} : { values: [...values] }) };
}

/**
 * Rejects if an answer takes longer: then its connection must be closed. The driver's own timeout is not used, because timers run before sockets are read.
 * An answer that arrived in time, while this process stood still, would count as late.
 */
function inTime<Answer>(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const tooLate = (): void => reject(new TooLate(`no answer in ${Math.round(limitMs)} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), limitMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
