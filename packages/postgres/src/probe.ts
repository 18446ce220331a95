/** Asks a server that fell silent whether it answers again, and acknowledges writes. */

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { failureOf, sqlStateOf } from "./errors.ts";

/** Sends a statement once. */
type Send = <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** SQLSTATEs of a server that cannot commit such a message: there is no such function, no right to call it, or no support for it. Its other answers count. */
const UNKNOWN = /^(42883|42501|0A000)$/;

/** The probe of one node. */
export class Probe {
  /**
   * Commits a message to the log of the server, and nothing else: no row changes, and no right on a table is needed. Without the standby that it waits
   * for, a server answers each question and acknowledges no commit.
   */
  readonly #commit =
    `select 1 from pg_logical_emit_message(true, 'loredex', '') as probe_${randomUUID().replaceAll("-", "")}`;
  readonly #question: string;
  #isStuck = false;

  /** @param question asks for the `clock` of the server, and whether it `reads_only` */
  constructor(question: string) {
    this.#question = question;
  }

  /** Resolves with the server's clock; undefined if the server only reads. @throws what was thrown if it does not answer or acknowledge */
  async ask(send: Send): Promise<{ readonly clock: number } | undefined> {
    const [server] = await send<{ clock: number; reads_only: boolean }>(this.#question);
    if (server?.reads_only !== false) return undefined;
    await this.#endStuck(send);
    try {
      await send(this.#commit);
    } catch (error) {
      if (!UNKNOWN.test(sqlStateOf(error) ?? "")) {
        this.#isStuck = true;
        throw error;
      }
    }
    return server;
  }

  /** Ends the last probe of this node, if it waits at the server for its standby: otherwise each would hold a connection there. */
  async #endStuck(send: Send): Promise<void> {
    if (!this.#isStuck) return;
    this.#isStuck = false;
    try {
      await send("select pg_cancel_backend(pid) from pg_stat_activity where query = $1 and pid <> pg_backend_pid()", [
        this.#commit,
      ]);
    } catch (error) {
      if (failureOf(error) === "lost") throw error;
    }
  }
}
