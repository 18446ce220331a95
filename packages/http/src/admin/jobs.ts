import {
  ADMIN_ADDRESS_CHARACTERS_MAX,
  ADMIN_ADDRESSES_MAX,
  ADMIN_FILE_NAME_CHARACTERS_MAX,
  ADMIN_UPLOAD_BYTES_MAX,
  SOURCE_NAME_CHARACTERS_MAX,
} from "@loredex/core";
import { HttpError } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { aList, anything, aText, maybe, readFields, readQuery } from "./fields.ts";
import { type AdminBotRequest, dataReply, parameter } from "./request.ts";

/** Work that continues after its answer, which is a 202: uploads, imports, syncs and runs. */

const ACCEPTED = 202;
/** The error with which {@link AdminJobs} refuse a job because too many wait: `OVERLOADED`, a 503 with code 50001. */
export function tooManyJobs(): Error {
  return new HttpError("OVERLOADED", "Too many jobs wait already. Please try again when some of them have ended.");
}

const aSource = aText({ max: SOURCE_NAME_CHARACTERS_MAX });

export async function upload({
  admin,
  identity,
  bot,
  query,
  bytes,
  names,
  transfers,
}: AdminBotRequest): Promise<Reply> {
  const { name, source } = readQuery(query, {
    name: aText({ max: ADMIN_FILE_NAME_CHARACTERS_MAX }),
    source: maybe(aSource),
  });
  const file = { name, ...(source === undefined ? {} : { source }), bytes: bytes(ADMIN_UPLOAD_BYTES_MAX) };
  const job = await transfers.during(identity, () => admin.jobs.upload(bot.id, file));
  names({ target: name });
  return dataReply(job, ACCEPTED);
}

export async function importAddresses({ admin, bot, json, names }: AdminBotRequest): Promise<Reply> {
  const given = readFields(await json(), {
    addresses: aList(aText({ max: ADMIN_ADDRESS_CHARACTERS_MAX }), ADMIN_ADDRESSES_MAX),
    source: maybe(aSource),
  });
  const { addresses, source } = given;
  const job = await admin.jobs.importAddresses(bot.id, { addresses, ...(source === undefined ? {} : { source }) });
  // An address may hold a secret, so none is noted.
  names({ target: source ?? `${addresses.length} addresses` });
  return dataReply(job, ACCEPTED);
}

export async function syncSource(request: AdminBotRequest): Promise<Reply> {
  return dataReply(await request.admin.jobs.sync(request.bot.id, parameter(request, "source")), ACCEPTED);
}

export async function startRun({ admin, bot, json }: AdminBotRequest): Promise<Reply> {
  return dataReply(await admin.jobs.run(bot.id, readFields(await json({}), { vocabulary: maybe(anything) })), ACCEPTED);
}

export async function listJobs({ admin, bot }: AdminBotRequest): Promise<Reply> {
  return dataReply(await admin.jobs.list(bot.id));
}

export async function getJob(request: AdminBotRequest): Promise<Reply> {
  const job = await request.admin.jobs.get(request.bot.id, parameter(request, "id"));
  if (job === undefined) throw new HttpError("JOB_NOT_FOUND");
  return dataReply(job);
}
