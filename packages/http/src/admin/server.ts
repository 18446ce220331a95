import { ADMIN_CHANGES_PAGE_MAX } from "@loredex/core";
import type { Reply } from "../reply.ts";
import { jsonReply } from "../reply.ts";
import { aNumeral, maybe, readQuery } from "./fields.ts";
import { type AdminRequest, dataReply } from "./request.ts";
import { alertsFor, maySee } from "./visibility.ts";

/** The audit log, and the state of the server. */

/** `GET /changes`. A key of some bots gets the changes of these alone. */
export async function listChanges({ admin, identity, query }: AdminRequest): Promise<Reply> {
  const asked = readQuery(query, {
    limit: maybe(aNumeral(1, ADMIN_CHANGES_PAGE_MAX)),
    before: maybe(aNumeral(0, Number.MAX_SAFE_INTEGER)),
  });
  const { bots } = identity;
  const { changes, next } = await admin.administration.changes({ ...asked, ...(bots === undefined ? {} : { bots }) });
  return jsonReply(200, { success: true, data: changes, ...(next === undefined ? {} : { next }) });
}

/** `GET /status` */
export async function showStatus({ admin, identity }: AdminRequest): Promise<Reply> {
  const { version, condition, alerts } = await admin.status();
  const faults = condition.faults.filter(({ id }) => maySee(identity, id));
  return dataReply({ version, condition: { ...condition, faults }, alerts: alertsFor(identity, alerts) });
}

/** `GET /events` */
export async function sendEvents(request: AdminRequest): Promise<Reply> {
  const headers = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  return { status: 200, headers, slices: [], stream: request.events.open(request) };
}
