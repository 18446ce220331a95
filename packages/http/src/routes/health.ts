import type { EngineCondition } from "@loredex/core";
import { ERROR_TABLE, HttpError } from "../errors.ts";
import { FAULTS_NAMED_MAX } from "../openapi/failure-schemas.ts";
import { jsonReply, type Reply } from "../reply.ts";

/** What a route without a key may know of the server. */
export interface ServerState {
  /** False from the moment that the server is told to close. */
  readonly isReady: boolean;
  /** True from the moment that no connection is taken any more. */
  readonly isClosing: boolean;
  condition(): EngineCondition;
}

/** `GET /health`: the process runs and answers. */
export function reportHealth(): Reply {
  return jsonReply(200, { status: "ok" });
}

/**
 * `GET /ready`: requests are welcome. A bot's fault does not change that, and is told: by its id and its kind alone, for anyone may
 * ask. The log and the operator's commands say more.
 */
export function reportReadiness({ isReady, condition }: ServerState): Reply {
  if (!isReady) throw new HttpError("SHUTTING_DOWN");
  const { canWrite, faults } = condition();
  const told = { count: faults.length, bots: faults.slice(0, FAULTS_NAMED_MAX).map(({ id, kind }) => ({ id, kind })) };
  if (canWrite) return jsonReply(200, { status: "ready", faults: told });
  const { status, number: code, message } = ERROR_TABLE.READ_ONLY;
  return jsonReply(status, { success: false, error: { message, code, status }, faults: told });
}
