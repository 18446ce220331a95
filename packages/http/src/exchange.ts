import type { IncomingMessage, ServerResponse } from "node:http";
import { scheduler } from "@loredex/core";
import { AdminApi, type AdminExchange } from "./admin/api.ts";
import { adminFailureOf } from "./admin/failures.ts";
import { EVENTS_PATH, isOfConsole } from "./admin/table.ts";
import { Admission, type Place } from "./admission/admission.ts";
import type { Asker } from "./admission/fair-queue.ts";
import { HeldRefusals } from "./admission/held-refusals.ts";
import { RefusalQueue } from "./admission/refusal-queue.ts";
import { SYSTEM_ROUNDS } from "./admission/rounds.ts";
import { type ByteHold, SharedBytes } from "./admission/shared-bytes.ts";
import { Compressor } from "./compression/compressor.ts";
import { headersForKey, headersForOptions } from "./cors.ts";
import type { ApiEngine, ApiKey } from "./engine.ts";
import { type Failure, failureOf, HttpError, isToldByTheEngine, requestRateExceeded } from "./errors.ts";
import { checkFraming } from "./framing.ts";
import { type JsonRecord, parseJsonObject } from "./json.ts";
import { keyOf } from "./key.ts";
import type { NamedRequest } from "./log.ts";
import type { ServerSettings } from "./options.ts";
import { emptyReply, type Reply } from "./reply.ts";
import { ClientGoneError, RequestBody } from "./request-body.ts";
import { requestIdOf } from "./request-id.ts";
import { splitTarget } from "./request-target.ts";
import { commonHeaders, send } from "./response.ts";
import { allowedMethods, handlerFor, handlerOf, matchRoute, pathSegments } from "./router.ts";
import type { ServerState } from "./routes/health.ts";
import { BOT_ROUTES, type FailureForm, type Routes, routesWith } from "./routes/table.ts";
import { strictTransport } from "./security-headers.ts";

/** The way in which a request arrived. */
export interface Arrival {
  /** The target of the request, if it is not its `url`: the rest after a prefix. */
  readonly target?: string;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
}

/** One request until its answer is sent. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly target: string;
  readonly body: RequestBody;
  /** The bytes of its body, until the body is parsed. */
  readonly bodyBytes: ByteHold;
  /** The bytes of its answer that are not sent yet. */
  readonly unsentBytes: ByteHold;
  /** Aborted with the reason when the answer is not wanted any more. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** The path's pattern, once known. */
  route: string;
  /** The bot and the key, once the key has been checked. */
  opened: ApiKey | undefined;
  /** The name of the admin key, once it has been checked. */
  adminKey: string | undefined;
  /** The bot that an admin key works on. */
  botId: string | undefined;
  /** The form of its refusals, once its route is known. */
  failureOf: FailureForm;
  /** Its place while it is in work. */
  place: Place | undefined;
  /** The name of the error if it was refused or failed. */
  code: string | undefined;
}

/** The paths that monitoring requests every few seconds. */
export const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);

const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT"]);

/** After these statuses the client may still be sending the refused body. */
const CLOSING_STATUSES: ReadonlySet<number> = new Set([408, 413]);

/** The share of all connections that may wait for a refusal. */
const HELD_SHARE = 1 / 8;
const TOO_MANY = "Too many requests of this bot are waiting. Please try again.";
const BODIES_FULL = "The service is receiving too much at the moment. Please try again.";

/** All clients without a valid key count as one owner, since each could invent any number of keys. */
const STRANGERS = "";

/** All admin keys together share the server as one bot would. No bot has such an id. */
const ADMIN_FLOW = " admin";
/** Sign-ins share it as another bot: anyone may send them, and none may keep admin keys waiting. */
const SIGN_IN_FLOW = " sign-in";
const EVENTS_FAILED = {
  level: "error",
  event: "requestFailed",
  message: "the events of the console could not be made",
  requestId: "none",
  method: "GET",
  route: EVENTS_PATH,
} as const;

/** Replaces the path's pattern if the API has no such path. */
const NO_ROUTE = "none";

/** Turns requests into answers: the checks in their order, then the route. */
export class Exchanges {
  readonly #engine: ApiEngine;
  readonly #settings: ServerSettings;
  readonly #state: ServerState;
  readonly #routes: Routes;
  readonly #admission: Admission;
  readonly #held: HeldRefusals;
  readonly #strangers = new RefusalQueue(SYSTEM_ROUNDS);
  readonly #bodies: SharedBytes;
  readonly #unsent: SharedBytes;
  readonly #compressor: Compressor | undefined;
  readonly #admin: AdminApi | undefined;

  constructor(engine: ApiEngine, settings: ServerSettings, state: ServerState) {
    this.#engine = engine;
    this.#settings = settings;
    this.#routes = routesWith(settings);
    this.#state = state;
    const { waitMs } = settings.timeouts;
    this.#admission = new Admission({ ...settings, waitMs }, SYSTEM_ROUNDS);
    const heldMax = Math.floor(settings.connectionsMax * HELD_SHARE);
    this.#held = new HeldRefusals({ heldMs: waitMs / 2, botHeldMax: settings.botWaitingMax, heldMax }, SYSTEM_ROUNDS);
    this.#bodies = new SharedBytes(settings.bodiesBytesMax);
    this.#unsent = new SharedBytes(settings.unsentBytesMax);
    this.#compressor = settings.compression ? new Compressor() : undefined;
    const logFault = (error: unknown): void => settings.logger({ ...EVENTS_FAILED, error });
    this.#admin = settings.admin && new AdminApi(settings.admin, { ...settings, lane: this.#lane, logFault });
  }

  /** Ends what lasts longer than a request: the server closes. */
  close(): void {
    this.#admin?.close();
  }

  readonly #lane = (): Promise<void> => this.#admission.sending(scheduler.answers());

  /** Notes that a client has connected. */
  connected(): void {
    this.#admission.arrived();
    scheduler.noteArrival();
  }

  /** Answers one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    const startedMs = performance.now();
    const exchange = this.#begin(request, response, arrival);
    const reply = await this.#replyTo(exchange);
    // A client that reads its answer slowly takes no place meanwhile.
    exchange.place?.release();
    exchange.bodyBytes.release();
    if (reply !== undefined) await this.#send(exchange, response, reply);
    const status = reply?.status ?? 0;
    const message = reply === undefined ? "the client left" : `answered ${status}`;
    const durationMs = performance.now() - startedMs;
    const level = PROBES.has(exchange.route) ? "debug" : isToldByTheEngine(exchange.code) ? "warn" : "info";
    const code = exchange.code === undefined ? {} : { code: exchange.code };
    this.#settings.logger({ level, event: "request", ...named(exchange, message), status, durationMs, ...code });
  }

  #begin(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Exchange {
    const { bodyBytesMax: bytesMax, timeouts } = this.#settings;
    const unwanted = new AbortController();
    const { signal } = unwanted;
    response.once("close", () => {
      exchange.unsentBytes.release();
      if (!response.writableFinished) unwanted.abort(new ClientGoneError());
    });
    const exchange: Exchange = {
      request,
      target: arrival.target ?? request.url ?? "",
      body: new RequestBody(
        request,
        response,
        { bytesMax, pieceMs: timeouts.bodyMs, signal, count: (bytes) => exchange.bodyBytes.add(bytes) },
        arrival.awaitsContinue,
      ),
      bodyBytes: this.#bodies.hold(STRANGERS, () => unwanted.abort(new HttpError("OVERLOADED", BODIES_FULL))),
      unsentBytes: this.#unsent.hold(STRANGERS, () => response.destroy()),
      signal,
      requestId: requestIdOf(request.headers["x-request-id"]),
      route: NO_ROUTE,
      opened: undefined,
      adminKey: undefined,
      botId: undefined,
      failureOf,
      place: undefined,
      code: undefined,
    };
    return exchange;
  }

  async #send(exchange: Exchange, response: ServerResponse, reply: Reply): Promise<void> {
    const { request, requestId, body, unsentBytes, opened } = exchange;
    const headers = opened === undefined ? {} : headersForKey(request, opened.key);
    const close = this.#state.isClosing || CLOSING_STATUSES.has(reply.status) || body.spoilsConnection;
    const { stallMs } = this.#settings.timeouts;
    const ofTls = this.#settings.tls === undefined ? {} : strictTransport(request.socket);
    const common = { ...commonHeaders(requestId), ...ofTls };
    try {
      await send(
        request,
        response,
        { ...reply, headers: { ...reply.headers, ...headers } },
        { common, close, stallMs, unsentBytes, compressor: this.#compressor, lane: this.#lane },
      );
    } catch (error) {
      // A row of the answer cannot be written, perhaps after other rows were sent. Only cutting the connection can still tell the client.
      this.#logFault(exchange, error);
      response.destroy();
    }
  }

  /** The answer, also for a failed request; undefined if the client has left. */
  async #replyTo(exchange: Exchange): Promise<Reply | undefined> {
    try {
      return await this.#answer(exchange);
    } catch (error) {
      if (error instanceof ClientGoneError) return undefined;
      const { reply, code } = this.#refuse(exchange, error);
      exchange.code = code;
      return reply;
    }
  }

  #answerAdmin(
    admin: AdminApi,
    exchange: Exchange,
    asked: Pick<AdminExchange, "segments" | "query" | "header">,
  ): Promise<Reply> {
    const { request, body, signal } = exchange;
    exchange.failureOf = adminFailureOf;
    const asker = (): Asker => {
      const { adminKey } = exchange;
      return adminKey === undefined ? { botId: SIGN_IN_FLOW, key: STRANGERS } : { botId: ADMIN_FLOW, key: adminKey };
    };
    return admin.answer({
      ...asked,
      request,
      method: request.method ?? "",
      json: (whenEmpty) => this.#readJson(exchange, asker(), whenEmpty),
      bytes: (bytesMax) => body.stream(bytesMax),
      searchMs: this.#settings.timeouts.searchMs,
      waitedMs: () => exchange.place?.waitedMs ?? 0,
      signal,
      strangersTurn: () => this.#strangers.next(),
      takePlace: () => this.#takePlace(exchange, asker()) ?? this.#refuseLater(exchange, asker()),
      noteRoute: (route) => void Object.assign(exchange, { route }),
      noteAdmin: (name) => {
        exchange.adminKey = name;
        this.#ownedBy(exchange, `${ADMIN_FLOW} ${name}`);
      },
      noteBot: (botId) => void Object.assign(exchange, { botId }),
      openedInTime: (opening) => this.#openedInTime(opening),
      logFault: (error) => this.#logFault(exchange, error),
      refusalOf: (error) => this.#refuse(exchange, error).reply,
    });
  }

  #ownedBy({ bodyBytes, unsentBytes }: Exchange, owner: string): void {
    bodyBytes.giveTo(owner);
    unsentBytes.giveTo(owner);
  }

  #refuse(exchange: Exchange, error: unknown): Failure {
    const failure = exchange.failureOf(error, exchange.request);
    if (failure.isFault) this.#logFault(exchange, error);
    return failure;
  }

  async #answer(exchange: Exchange): Promise<Reply> {
    const { request, target } = exchange;
    checkFraming(request);
    const method = request.method ?? "";
    const header = (name: string) => request.headersDistinct[name]?.join(", ");
    const { path, query } = splitTarget(target);
    const segments = pathSegments(path);
    const admin = this.#admin?.has(segments) === true ? this.#admin : undefined;
    if (method === "OPTIONS") return admin?.options(segments) ?? this.#answerOptions(request, path, segments);
    if (admin !== undefined) return this.#answerAdmin(admin, exchange, { segments, query, header });

    const open = matchRoute(this.#routes.open, segments);
    if (open !== undefined) {
      exchange.route = open.route.path;
      return handlerFor(open.route, method)(this.#state, { parameters: open.parameters, header });
    }
    const match = matchRoute(BOT_ROUTES, segments);
    exchange.route = match?.route.path ?? NO_ROUTE;
    if (match !== undefined && handlerOf(match.route, method) !== undefined) {
      exchange.failureOf = match.route.failureOf ?? failureOf;
    }
    // A server without a console has nothing at its paths, whatever key is sent.
    if (isOfConsole(segments)) throw new HttpError("ROUTE_NOT_FOUND");
    const opened = this.#authenticate(exchange) ?? (await this.#authenticateLater(exchange));
    const botId = opened.id;
    const asker = { botId, key: ownerOf(opened) };
    if (match === undefined) throw new HttpError("ROUTE_NOT_FOUND");
    const handler = handlerFor(match.route, method);
    if (match.route.scope === "all" && opened.key.scope !== "all") throw new HttpError("KEY_SCOPE");
    const admitted = this.#engine.admitRequest(opened);
    const waitMs = typeof admitted === "number" ? admitted : await admitted;
    if (waitMs > 0) throw requestRateExceeded(waitMs);
    const bot = await this.#openedInTime(this.#engine.bot(botId));
    // A request without a body is complete. Others take their place when the body has arrived, since a sender may be slow.
    if (!BODY_METHODS.has(method)) await (this.#takePlace(exchange, asker) ?? this.#refuseLater(exchange, asker));
    const { searchMs } = this.#settings.timeouts;
    return handler({
      bot,
      feedback: async (input) => (await this.#engine.insights(botId)).feedback(input),
      requestId: exchange.requestId,
      opened,
      parameters: match.parameters,
      query,
      header,
      json: () => this.#readJson(exchange, asker),
      searchMs,
      waitedMs: () => exchange.place?.waitedMs ?? 0,
      signal: exchange.signal,
      refusalOf: (error) => this.#refuse(exchange, error).reply,
    });
  }

  /** Opens the bot, with a time limit. The first use after a start takes long, and waiting requests must not take all places meanwhile. */
  #openedInTime<Opened>(opening: Promise<Opened>): Promise<Opened> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new HttpError("RECOVERING")), this.#settings.timeouts.openMs);
      opening.finally(() => clearTimeout(late)).then(resolve, reject);
    });
  }

  #authenticate(exchange: Exchange): ApiKey | undefined {
    const opened = this.#engine.authenticate(keyOf(exchange.request));
    if (opened === undefined) return undefined;
    exchange.opened = opened;
    this.#ownedBy(exchange, ownerOf(opened));
    return opened;
  }

  /**
   * Authenticates a request whose key is not known yet, in its turn among strangers: another node may have made the key a moment ago.
   * @throws LoredexError `UNREACHABLE` while that cannot be known
   */
  async #authenticateLater(exchange: Exchange): Promise<ApiKey> {
    await this.#strangers.next();
    if (keyOf(exchange.request) !== undefined) await this.#engine.catchUp();
    const opened = this.#authenticate(exchange);
    if (opened === undefined) throw new HttpError("UNAUTHENTICATED");
    return opened;
  }

  #answerOptions(request: IncomingMessage, path: string, segments: readonly string[]): Reply {
    const match = matchRoute(this.#routes.all, segments);
    if (match === undefined && path !== "*") throw new HttpError("ROUTE_NOT_FOUND");
    const allow = allowedMethods(match === undefined ? this.#routes.all : [match.route]);
    return emptyReply({ allow, ...headersForOptions(request, allow, (origin) => this.#engine.listsOrigin(origin)) });
  }

  #readJson(exchange: Exchange, asker: Asker, whenEmpty?: JsonRecord): Promise<JsonRecord> {
    // No async function: nothing may hold the body while a refusal is held back.
    return exchange.body.read().then((bytes) => {
      const placed = this.#takePlace(exchange, asker);
      if (placed === undefined) return this.#refuseLater(exchange, asker);
      return placed.then(() => {
        exchange.bodyBytes.release();
        return whenEmpty !== undefined && bytes.length === 0 ? whenEmpty : parseJsonObject(bytes);
      });
    });
  }

  /** Takes a place; undefined if the queue of the key or the bot is full. */
  #takePlace(exchange: Exchange, asker: Asker): Promise<void> | undefined {
    if (exchange.place !== undefined) return Promise.resolve();
    scheduler.noteArrival();
    return this.#admission.enter(asker, exchange.signal)?.then((place) => {
      exchange.place = place;
    });
  }

  async #refuseLater({ bodyBytes, signal }: Exchange, { botId }: Asker): Promise<never> {
    bodyBytes.release();
    await this.#held.next(botId, signal);
    throw new HttpError("OVERLOADED", TOO_MANY);
  }

  #logFault(exchange: Exchange, error: unknown): void {
    const message = "the service could not do what was asked";
    this.#settings.logger({ level: "error", event: "requestFailed", ...named(exchange, message), error });
  }
}

/** The owner for whom bytes are counted: a key of a bot. */
function ownerOf({ id, key }: ApiKey): string {
  return `${id} ${key.name}`;
}

function named(exchange: Exchange, message: string): NamedRequest {
  const { request, requestId, route, opened, adminKey, botId } = exchange;
  const ofAdmin = { ...(adminKey === undefined ? {} : { adminKey }), ...(botId === undefined ? {} : { botId }) };
  const asker = opened === undefined ? ofAdmin : { botId: opened.id, key: opened.key.name };
  return { message, requestId, method: request.method ?? "", route, ...asker };
}
