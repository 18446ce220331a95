import type { IncomingMessage } from "node:http";
import type { AdminIdentity, BotInfo, ContentChangeOptions } from "@loredex/core";
import { contentTag } from "@loredex/core";
import type { JsonRecord } from "../json.ts";
import { jsonReply, type Reply } from "../reply.ts";
import type { Route } from "../router.ts";
import type { ArticleRequest } from "../routes/bot-request.ts";
import type { EventHub } from "./events.ts";
import type { AdminBot, ApiAdmin } from "./port.ts";
import type { Transfers } from "./transfer-places.ts";

/**
 * What a caller needs for an operation.
 * - `read`: any admin key.
 * - `write`: an admin key that may write; by cookie also the session's token and an Origin of this host.
 * - `create`: as `write`, with an admin key for all bots.
 * - `own`: a session that any admin key has opened, with its token, for a change of the session itself.
 */
export type AdminAccess = "read" | "write" | "create" | "own";

/** The things of a request that an operation reads. */
export interface AdminRequest {
  readonly admin: ApiAdmin;
  readonly request: IncomingMessage;
  readonly identity: AdminIdentity;
  /** The token of its session; undefined for a key. */
  readonly token: string | undefined;
  /** The path's parameters, decoded. `bot` is as it was sent. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The query string as it was sent. */
  readonly query: string;
  readonly header: (name: string) => string | undefined;
  /** The body. One without a byte is refused, or is `whenEmpty`: for an operation whose fields may all be left out. */
  readonly json: (whenEmpty?: JsonRecord) => Promise<JsonRecord>;
  /** The body as it arrives. Refused with 413 beyond `bytesMax`, before anything is read if its length is declared. */
  readonly bytes: (bytesMax: number) => AsyncIterable<Uint8Array>;
  readonly transfers: Transfers;
  readonly events: EventHub;
  readonly searchMs: number;
  readonly waitedMs: () => number;
  /** Aborted when the client does not wait for the answer any more. */
  readonly signal: AbortSignal;
  /** Whether its key or its session still opens the admin API. */
  readonly isStillValid: () => Promise<boolean>;
  /** Opens the bot of the path, with a time limit. */
  readonly opened: () => Promise<AdminBot>;
  /** The same request, as the routes of a bot take it. */
  readonly asBotRequest: () => Promise<ArticleRequest>;
  /** Names what the change was made to, where the path does not name it. */
  readonly names: (changed: { readonly bot?: string; readonly target?: string }) => void;
}

/** A request with a bot in its path that the caller may see. */
export interface AdminBotRequest extends AdminRequest {
  readonly bot: BotInfo;
}

interface Operation<Request> {
  readonly access: AdminAccess;
  /** The words of the command that does the same, for the audit log. Every change has one, and whatever takes all knowledge away. */
  readonly action?: string;
  /** Whether it reads the query, or passes over it as the API of bots does. Of the others a query is refused: `DELETE ...?dryRun=true` would delete. */
  readonly takesQuery?: true;
  readonly run: (request: Request) => Promise<Reply>;
}

/** An operation of the admin API, which may need the bot of its path. */
export type AdminOperation =
  | (Operation<AdminRequest> & { readonly ofBot: false })
  | (Operation<AdminBotRequest> & { readonly ofBot: true });

export type AdminRoute = Route<AdminOperation>;

type Run<Request> = (request: Request) => Promise<Reply>;

/** An operation that changes nothing. */
export const reads = (run: Run<AdminRequest>): AdminOperation => ({ access: "read", run, ofBot: false });
export const readsBot = (run: Run<AdminBotRequest>): AdminOperation => ({ access: "read", run, ofBot: true });
/** An operation that changes something. */
export const changesBot = (action: string, run: Run<AdminBotRequest>): AdminOperation => ({
  ...{ access: "write", action, run, ofBot: true },
});
/** An operation that makes a bot. */
export const createsBot = (action: string, run: Run<AdminRequest>): AdminOperation => ({
  ...{ access: "create", action, run, ofBot: false },
});
/** An operation that takes a query. */
export const withQuery = (operation: AdminOperation): AdminOperation => ({ ...operation, takesQuery: true });

/** The answer `{ success: true, data }`. */
export function dataReply(data: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return jsonReply(status, { success: true, data }, headers);
}

/** The same with the tag of what the bot has now. */
export function taggedReply(data: unknown, content: object): Reply {
  return dataReply(data, 200, { etag: contentTag(content) });
}

/** The condition of a change that replaces something whole. */
export function conditionOf({ header }: Pick<AdminRequest, "header">): ContentChangeOptions {
  const ifMatch = header("if-match");
  return ifMatch === undefined ? {} : { ifMatch };
}

/** The answer to a change that returns nothing. */
export const DONE = (): Reply => dataReply({});

/** A parameter of the path. The route has matched, so it is there. */
export function parameter({ parameters }: Pick<AdminRequest, "parameters">, name: string): string {
  return parameters.get(name) ?? "";
}
