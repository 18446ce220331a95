import { HttpError } from "../errors.ts";
import { jsonReply, type Reply } from "../reply.ts";

/** What a route without a key may know of the server. */
export interface ServerState {
  /** False from the moment that the server is told to close. */
  readonly isReady: boolean;
}

/** `GET /health`: the process runs and answers. */
export function reportHealth(): Reply {
  return jsonReply(200, { status: "ok" });
}

/** `GET /ready`: requests are welcome. */
export function reportReadiness({ isReady }: ServerState): Reply {
  if (!isReady) throw new HttpError("SHUTTING_DOWN");
  return jsonReply(200, { status: "ready" });
}
