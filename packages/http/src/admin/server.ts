import type { NotedChange } from "@loredex/core";
import type { Reply } from "../reply.ts";
import { jsonReply } from "../reply.ts";
import { aNumeral, maybe, readNoQuery, readQuery } from "./fields.ts";
import { type AdminRequest, dataReply } from "./request.ts";
import { alertsFor, maySee } from "./visibility.ts";

/** The audit log, and the state of the server. */

/** Rows of one page of the audit log. */
const CHANGES_LIMIT_MAX = 1_000;
const CHANGES_LIMIT_DEFAULT = 100;

/** `GET /changes`. A key of some bots gets the changes of these alone: pages are read until enough of them are found. */
export async function listChanges({ admin, identity, query }: AdminRequest): Promise<Reply> {
  const asked = readQuery(query, {
    limit: maybe(aNumeral(1, CHANGES_LIMIT_MAX)),
    before: maybe(aNumeral(0, Number.MAX_SAFE_INTEGER)),
  });
  const { limit = CHANGES_LIMIT_DEFAULT } = asked;
  const found: NotedChange[] = [];
  let { before } = asked;
  do {
    const page = await admin.administration.changes({
      limit: limit - found.length,
      ...(before === undefined ? {} : { before }),
    });
    found.push(...page.changes.filter(({ bot }) => maySee(identity, bot)));
    before = page.next;
  } while (found.length < limit && before !== undefined);
  return jsonReply(200, { success: true, data: found, ...(before === undefined ? {} : { next: before }) });
}

/** `GET /status` */
export async function showStatus({ admin, identity, query }: AdminRequest): Promise<Reply> {
  readNoQuery(query);
  const { version, condition, alerts } = await admin.status();
  const faults = condition.faults.filter(({ id }) => maySee(identity, id));
  return dataReply({ version, condition: { ...condition, faults }, alerts: alertsFor(identity, alerts) });
}

/** `GET /events` */
export async function sendEvents(request: AdminRequest): Promise<Reply> {
  readNoQuery(request.query);
  const headers = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  return { status: 200, headers, slices: [], stream: request.events.open(request) };
}
