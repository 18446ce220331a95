import type { IncomingMessage } from "node:http";
import type { AdminChange, AdminIdentity, AdminSession, BotInfo } from "@loredex/core";
import { HttpError } from "../errors.ts";
import { keyOf } from "../key.ts";
import { emptyReply, type Reply, redirectReply } from "../reply.ts";
import { allowedMethods, handlerFor, matchRoute, type RouteMatch } from "../router.ts";
import type { ArticleRequest } from "../routes/bot-request.ts";
import { consolePath, consoleReply } from "./console-files.ts";
import { tokenOf } from "./cookies.ts";
import { EventHub } from "./events.ts";
import { adminFailureOf } from "./failures.ts";
import { readNoQuery } from "./fields.ts";
import type { AdminBot, ApiAdmin } from "./port.ts";
import type { AdminOperation, AdminRequest, AdminRoute } from "./request.ts";
import { requireSameSite, SESSION_PATH, signIn } from "./session.ts";
import { ADMIN_ROUTES, isAdminPath } from "./table.ts";
import { Transfers } from "./transfer-places.ts";
import { maySee } from "./visibility.ts";

/** What the server lends to a request of the admin API: a place in work, the reading of its body, and its notes for the log. */
export interface AdminExchange
  extends Pick<AdminRequest, "query" | "header" | "json" | "bytes" | "searchMs" | "waitedMs" | "signal"> {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly segments: readonly string[];
  /** Waits in its turn among strangers, before a refusal. */
  readonly strangersTurn: () => Promise<void>;
  /** Takes a place among the requests in work, as a request of this admin key. */
  readonly takePlace: () => Promise<void>;
  readonly noteRoute: (route: string) => void;
  readonly noteAdmin: (name: string) => void;
  readonly noteBot: (id: string) => void;
  /** Opens a bot, with a time limit. */
  readonly openedInTime: <Opened>(opening: Promise<Opened>) => Promise<Opened>;
  readonly logFault: (error: unknown) => void;
  readonly refusalOf: (error: unknown) => Reply;
}

/** The caller of a request. */
interface Caller {
  readonly identity: AdminIdentity;
  readonly session?: AdminSession;
  readonly token?: string;
}

/** The console's page and its files. */
const CONSOLE_ROUTE = { path: "/console", handlers: { GET: true } };
const SIGN_IN = { path: SESSION_PATH, handlers: { POST: signIn } };

/** Dependencies of {@link AdminApi}. */
interface AdminApiDeps {
  /** Whether the server has nothing else, so that its start page is the console. */
  readonly isAdminAlone: boolean;
  readonly lane: () => Promise<void>;
  readonly logFault: (error: unknown) => void;
}

/** The admin API and the console of one server. */
export class AdminApi {
  readonly #admin: ApiAdmin;
  readonly #transfers = new Transfers();
  readonly #events: EventHub;

  readonly #isAlone: boolean;

  constructor(admin: ApiAdmin, { isAdminAlone, lane, logFault }: AdminApiDeps) {
    this.#admin = admin;
    this.#isAlone = isAdminAlone;
    this.#events = new EventHub(admin, lane, logFault);
  }

  /** Whether a path is of the admin API or the console. */
  has(segments: readonly string[]): boolean {
    return isAdminPath(segments) || this.#console(segments) !== undefined;
  }

  /** The methods of a path for `Allow`; undefined if there is nothing at it. */
  #allowed(segments: readonly string[]): string | undefined {
    if (this.#console(segments) !== undefined) return allowedMethods([CONSOLE_ROUTE]);
    const match = matchRoute(ADMIN_ROUTES, segments);
    return match === undefined ? undefined : allowedOn(match.route);
  }

  /** Ends the streams of events: the server closes. */
  close(): void {
    this.#events.close();
  }

  /** The answer to OPTIONS: never with CORS. @throws HttpError `ROUTE_NOT_FOUND` */
  options(segments: readonly string[]): Reply {
    const allow = this.#allowed(segments);
    if (allow === undefined) throw new HttpError("ROUTE_NOT_FOUND");
    return emptyReply({ allow });
  }

  /** Answers a request for a path that it has. */
  async answer(exchange: AdminExchange): Promise<Reply> {
    const { segments, method } = exchange;
    const file = this.#console(segments);
    if (file !== undefined) return this.#consoleFile(exchange, file);
    const match = matchRoute(ADMIN_ROUTES, segments);
    if (match !== undefined) exchange.noteRoute(match.route.path);
    if (match?.route.path === SESSION_PATH && method === "POST") return this.#signIn(exchange);
    const caller = await this.#caller(exchange);
    exchange.noteAdmin(caller.identity.name);
    if (match === undefined) throw new HttpError("ROUTE_NOT_FOUND");
    const operation = handlerFor(match.route, method, allowedOn(match.route));
    this.#requireAccess(operation, caller, exchange.request);
    return this.#run(exchange, caller, match, operation);
  }

  /** The path below `/console/`; undefined for another path. The start page of a server of its own leads to it. */
  #console(segments: readonly string[]): string | undefined {
    if (this.#admin.files === undefined) return undefined;
    return this.#isAlone && isRoot(segments) ? "" : consolePath(segments);
  }

  #consoleFile({ method, header, noteRoute, segments }: AdminExchange, path: string): Reply {
    noteRoute(path === "" ? "/console" : "/console/*");
    handlerFor(CONSOLE_ROUTE, method);
    if (isRoot(segments)) return redirectReply("console");
    return consoleReply(this.#admin.files ?? new Map(), path, header("accept-encoding"));
  }

  async #signIn(exchange: AdminExchange): Promise<Reply> {
    try {
      const { name, reply } = await signIn(this.#admin, exchange);
      exchange.noteAdmin(name);
      await this.#note(exchange, { by: name, action: "sign in" });
      return reply;
    } catch (error) {
      await exchange.strangersTurn();
      throw error;
    }
  }

  /** Authenticates by the key that was sent, or else by the session's cookie. @throws HttpError `UNAUTHENTICATED` */
  async #caller(exchange: AdminExchange): Promise<Caller> {
    const caller = await this.#known(exchange.request);
    if (caller !== undefined) return caller;
    await exchange.strangersTurn();
    throw new HttpError("UNAUTHENTICATED");
  }

  async #known(request: IncomingMessage): Promise<Caller | undefined> {
    const { administration } = this.#admin;
    const { headersDistinct } = request;
    if (headersDistinct["x-api-key"] !== undefined || headersDistinct.authorization !== undefined) {
      const key = keyOf(request);
      const identity = key === undefined ? undefined : await administration.authenticate(key);
      if (identity !== undefined) return { identity };
      // A header of another scheme, as a proxy may need it, is no key.
      if (key !== undefined || headersDistinct["x-api-key"] !== undefined) return undefined;
    }
    const token = tokenOf(request);
    const session = token === undefined ? undefined : await administration.session(token);
    return session === undefined || token === undefined ? undefined : { identity: session.identity, session, token };
  }

  /** @throws HttpError `ADMIN_SCOPE`, `CROSS_SITE` */
  #requireAccess({ access }: AdminOperation, { identity, session }: Caller, request: IncomingMessage): void {
    if (access === "read") return;
    if (session !== undefined) requireSameSite(request, session);
    if (access === "own") return;
    if (identity.scope !== "write") throw new HttpError("ADMIN_SCOPE");
    if (access === "create" && identity.bots !== undefined) throw new HttpError("ADMIN_SCOPE", CREATES_NONE);
  }

  async #run(
    exchange: AdminExchange,
    caller: Caller,
    { parameters }: RouteMatch<AdminRoute>,
    operation: AdminOperation,
  ): Promise<Reply> {
    const bot = await this.#visibleBot(parameters.get("bot"), caller.identity);
    if (bot !== undefined) exchange.noteBot(bot.id);
    if (operation.takesQuery !== true) readNoQuery(exchange.query);
    // Requests with a body take their place when it has arrived.
    if (!hasBody(exchange.request)) await exchange.takePlace();
    const changed: { bot?: string; target?: string } = {};
    const target = [...parameters].findLast(([name]) => name !== "bot")?.[1];
    if (target !== undefined) changed.target = target;
    if (bot !== undefined) changed.bot = bot.id;
    const request = this.#requestOf(exchange, caller, { parameters, bot, changed });
    const note = async (action: string | undefined, end = "") => {
      if (action === undefined) return;
      await this.#note(exchange, { by: caller.identity.name, action: `${action}${end}`, ...changed });
    };
    try {
      const reply = await (operation.ofBot ? operation.run({ ...request, bot: must(bot) }) : operation.run(request));
      await note(operation.action);
      return reply;
    } catch (error) {
      // Part of it may have been made, as when a list is emptied and its disk space cannot be freed.
      if (adminFailureOf(error).isFault) await note(operation.action, FAILED);
      throw error;
    }
  }

  #requestOf(
    exchange: AdminExchange,
    { identity, token }: Caller,
    given: {
      readonly parameters: ReadonlyMap<string, string>;
      readonly bot: BotInfo | undefined;
      readonly changed: { bot?: string; target?: string };
    },
  ): AdminRequest {
    const { bot, changed, parameters } = given;
    const { request, query, header, json, bytes, searchMs, waitedMs, signal, refusalOf } = exchange;
    const opened = (): Promise<AdminBot> => exchange.openedInTime(this.#admin.bot(must(bot).id));
    const asBotRequest = async (): Promise<ArticleRequest> => {
      const key = { name: identity.name, scope: "all", origins: [] } as const;
      const { id, name } = must(bot);
      const of = { query, header, json, searchMs, waitedMs, signal, refusalOf, parameters };
      return { ...of, bot: await opened(), opened: { id, name, key } };
    };
    return {
      ...{ admin: this.#admin, request, identity, token, parameters, query, header, json, bytes },
      ...{ transfers: this.#transfers, events: this.#events, searchMs, waitedMs, signal, opened, asBotRequest },
      isStillValid: async () => (await this.#known(request)) !== undefined,
      names: (more) => void Object.assign(changed, more),
    };
  }

  /** @throws HttpError `ADMIN_BOT_NOT_FOUND`, also for a bot that the key may not see */
  async #visibleBot(named: string | undefined, identity: AdminIdentity): Promise<BotInfo | undefined> {
    if (named === undefined) return undefined;
    const bot = await this.#admin.findBot(named);
    if (bot === undefined || !maySee(identity, bot.id)) throw new HttpError("ADMIN_BOT_NOT_FOUND");
    return bot;
  }

  /** Notes a change that was made. If that fails, the change stays: its answer must not say otherwise. */
  async #note(exchange: AdminExchange, change: AdminChange): Promise<void> {
    try {
      await this.#admin.administration.noteChange(change);
    } catch (error) {
      exchange.logFault(error);
    }
  }
}

/** The methods of a route. Signing in, which needs no key, stands beside the routes. */
function allowedOn(route: AdminRoute): string {
  return allowedMethods(route.path === SESSION_PATH ? [route, SIGN_IN] : [route]);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isRoot(segments: readonly string[]): boolean {
  return segments.length === 2 && segments.join("") === "";
}

/** What the audit log says of a change that the service could not make as a whole. */
const FAILED = " (failed)";

const CREATES_NONE = "This admin key is for some bots alone, and creates none.";

/** The bot of a path that has one: it was looked up before. */
function must(bot: BotInfo | undefined): BotInfo {
  if (bot === undefined) throw new Error("an operation of a bot stands at a path without one");
  return bot;
}
