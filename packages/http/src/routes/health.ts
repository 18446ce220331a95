import { type EngineCondition, LoredexError } from "@loredex/core";
import { HttpError, toldOf } from "../errors.ts";
import { FAULTS_NAMED_MAX } from "../openapi/failure-schemas.ts";
import { jsonReply, type Reply } from "../reply.ts";

/** The state of the server that routes without a key may report. */
export interface ServerState {
  /** False as soon as the server is told to close. */
  readonly isReady: boolean;
  /** True as soon as no connection is accepted any more. */
  readonly isClosing: boolean;
  condition(): EngineCondition;
}

/** `GET /health`: the process runs and answers. */
export function reportHealth(): Reply {
  return jsonReply(200, { status: "ok" });
}

/**
 * `GET /ready`: whether requests are welcome. A bot's fault does not change that, but is reported.
 * Neither does an unreachable database, as long as searches are answered from memory.
 * It is reported by the bot's id and the fault's kind alone, since anyone may ask. The log and the operator's commands say more.
 */
export function reportReadiness({ isReady, condition }: ServerState): Reply {
  if (!isReady) throw new HttpError("SHUTTING_DOWN");
  const { canWrite, faults, unreachable } = condition();
  const bots = faults.slice(0, FAULTS_NAMED_MAX).map(({ id, kind }) => ({ id, kind }));
  const told = { count: faults.length, bots, ...(unreachable === undefined ? {} : { databaseUnreachable: true }) };
  if (unreachable?.answersSearches ?? canWrite) return jsonReply(200, { status: "ready", faults: told });
  const error = new LoredexError(unreachable === undefined ? "READ_ONLY" : "UNREACHABLE", "");
  const { status, number: code, message, headers } = toldOf(error);
  return jsonReply(status, { success: false, error: { message, code, status }, faults: told }, headers);
}
