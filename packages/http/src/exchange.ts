import type { IncomingMessage, ServerResponse } from "node:http";
import { answersTurn, noteArrival } from "@loredex/core";
import { Admission, type Place } from "./admission/admission.ts";
import { SYSTEM_ROUNDS } from "./admission/rounds.ts";
import { type ByteHold, SharedBytes } from "./admission/shared-bytes.ts";
import { headersForKey, headersForOptions } from "./cors.ts";
import type { ApiBot, ApiEngine, ApiKey } from "./engine.ts";
import { type Failure, failureOf, HttpError, requestRateExceeded } from "./errors.ts";
import { checkFraming } from "./framing.ts";
import { type JsonRecord, parseJsonObject } from "./json.ts";
import { keyOf } from "./key.ts";
import type { NamedRequest } from "./log.ts";
import type { ServerSettings } from "./options.ts";
import { emptyReply, type Reply } from "./reply.ts";
import { ClientGoneError, RequestBody } from "./request-body.ts";
import { requestIdOf } from "./request-id.ts";
import { splitTarget } from "./request-target.ts";
import { send } from "./response.ts";
import { allowedMethods, handlerOf, matchRoute, pathSegments, type Route } from "./router.ts";
import type { ServerState } from "./routes/health.ts";
import { BOT_ROUTES, OPEN_ROUTES, ROUTES } from "./routes/table.ts";

/** How a request came. */
export interface Arrival {
  /** Where it goes, if that is not its `url`: what a prefix was taken off. */
  readonly target?: string;
  /** The client wants a go-ahead before it sends the body. */
  readonly awaitsContinue: boolean;
}

/** One request on its way to an answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly target: string;
  readonly body: RequestBody;
  /** Of its body, until that has become an object. */
  readonly bodyBytes: ByteHold;
  /** Of its answer. */
  readonly unsentBytes: ByteHold;
  /** Aborted with the reason when it is not wanted any more. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** The path's pattern, once known. */
  route: string;
  /** What its key has opened, once that has been checked. */
  opened: ApiKey | undefined;
  /** While it is worked on. */
  place: Place | undefined;
  /** Why it was refused or failed. */
  code: string | undefined;
}

/** Whoever asks for these watches the service, every few seconds. */
export const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);

const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT"]);

/** After these the sender may go on with what was refused. */
const CLOSING_STATUSES: ReadonlySet<number> = new Set([408, 413]);

const BODIES_FULL = "The service is receiving too much at the moment. Please try again.";

/** Stands for the path's pattern where no path of the API was asked for. */
const NO_ROUTE = "none";

/** Turns requests into answers: the checks in their order, then the route. */
export class Exchanges {
  readonly #engine: ApiEngine;
  readonly #settings: ServerSettings;
  readonly #state: ServerState;
  readonly #admission: Admission;
  readonly #bodies: SharedBytes;
  readonly #unsent: SharedBytes;

  constructor(engine: ApiEngine, settings: ServerSettings, state: ServerState) {
    this.#engine = engine;
    this.#settings = settings;
    this.#state = state;
    const { waitMs } = settings.timeouts;
    this.#admission = new Admission({ ...settings, waitMs }, SYSTEM_ROUNDS);
    this.#bodies = new SharedBytes(settings.bodiesBytesMax);
    this.#unsent = new SharedBytes(settings.unsentBytesMax);
  }

  /** A client has connected. */
  connected(): void {
    this.#admission.arrived();
    noteArrival();
  }

  /** Answers one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    const startedMs = performance.now();
    const exchange = this.#begin(request, response, arrival);
    const reply = await this.#replyTo(exchange);
    // Whoever reads his answer slowly keeps no place from others meanwhile.
    exchange.place?.release();
    exchange.bodyBytes.release();
    if (reply !== undefined) await this.#send(exchange, response, reply);
    const status = reply?.status ?? 0;
    const message = reply === undefined ? "the client left" : `answered ${status}`;
    const durationMs = performance.now() - startedMs;
    const level = PROBES.has(exchange.route) ? "debug" : "info";
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
      bodyBytes: this.#bodies.hold(ownerOf(request), () => unwanted.abort(new HttpError("OVERLOADED", BODIES_FULL))),
      unsentBytes: this.#unsent.hold(ownerOf(request), () => response.destroy()),
      signal,
      requestId: requestIdOf(request.headers["x-request-id"]),
      route: NO_ROUTE,
      opened: undefined,
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
    const turn = () => this.#admission.sending(answersTurn());
    try {
      await send(
        request,
        response,
        { ...reply, headers: { ...reply.headers, ...headers } },
        { requestId, close, stallMs, unsentBytes, turn },
      );
    } catch (error) {
      // A row of the answer cannot be written, perhaps after others were sent: cutting the connection is the only way left to say so.
      this.#logFault(exchange, error);
      response.destroy();
    }
  }

  /** The answer, also to what failed; undefined if there is nobody to answer. */
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

  #refuse(exchange: Exchange, error: unknown): Failure {
    const failure = failureOf(error);
    if (failure.isFault) this.#logFault(exchange, error);
    return failure;
  }

  async #answer(exchange: Exchange): Promise<Reply> {
    const { request, target } = exchange;
    checkFraming(request);
    const method = request.method ?? "";
    const { path, query } = splitTarget(target);
    if (method === "OPTIONS") return this.#answerOptions(request, path);

    const segments = pathSegments(path);
    const open = matchRoute(OPEN_ROUTES, segments);
    if (open !== undefined) {
      exchange.route = open.route.path;
      return handlerFor(open.route, method)(this.#state);
    }
    const match = matchRoute(BOT_ROUTES, segments);
    exchange.route = match?.route.path ?? NO_ROUTE;
    const opened = this.#authenticate(exchange);
    const botId = opened.id;
    if (match === undefined) throw new HttpError("ROUTE_NOT_FOUND");
    const handler = handlerFor(match.route, method);
    if (match.route.scope === "all" && opened.key.scope !== "all") throw new HttpError("KEY_SCOPE");
    const waitMs = this.#engine.admitRequest(opened);
    if (waitMs > 0) throw requestRateExceeded(waitMs);
    const bot = await this.#opened(botId);
    // What has no body is whole. All else takes its place when its body is there: a sender may take his time with it.
    if (!BODY_METHODS.has(method)) await this.#takePlace(exchange, botId);
    const { searchMs } = this.#settings.timeouts;
    return handler({
      bot,
      parameters: match.parameters,
      query,
      header: (name) => request.headersDistinct[name]?.join(", "),
      json: () => this.#readJson(exchange, botId),
      searchMs,
      waitedMs: () => exchange.place?.waitedMs ?? 0,
      signal: exchange.signal,
      refusalOf: (error) => this.#refuse(exchange, error).reply,
    });
  }

  /** A bot takes its time when it is first used after a start; requests for it must not take all the places meanwhile. */
  #opened(botId: string): Promise<ApiBot> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new HttpError("RECOVERING")), this.#settings.timeouts.openMs);
      const opening = this.#engine.bot(botId).finally(() => clearTimeout(late));
      opening.then(resolve, reject);
    });
  }

  #authenticate(exchange: Exchange): ApiKey {
    const opened = this.#engine.authenticate(keyOf(exchange.request));
    if (opened === undefined) throw new HttpError("UNAUTHENTICATED");
    exchange.opened = opened;
    return opened;
  }

  #answerOptions(request: IncomingMessage, path: string): Reply {
    const match = matchRoute(ROUTES, pathSegments(path));
    if (match === undefined && path !== "*") throw new HttpError("ROUTE_NOT_FOUND");
    const allow = allowedMethods(match === undefined ? ROUTES : [match.route]);
    const isListed = (origin: string): boolean => this.#engine.listsOrigin(origin);
    return emptyReply({ allow, ...headersForOptions(request, allow, isListed) });
  }

  async #readJson(exchange: Exchange, botId: string): Promise<JsonRecord> {
    const bytes = await exchange.body.read();
    await this.#takePlace(exchange, botId);
    exchange.bodyBytes.release();
    return parseJsonObject(bytes);
  }

  async #takePlace(exchange: Exchange, botId: string): Promise<void> {
    const asker = { botId, key: ownerOf(exchange.request) };
    noteArrival();
    exchange.place ??= await this.#admission.enter(asker, exchange.signal);
  }

  #logFault(exchange: Exchange, error: unknown): void {
    const message = "the service could not do what was asked";
    this.#settings.logger({ level: "error", event: "requestFailed", ...named(exchange, message), error });
  }
}

/** The key that was sent: bytes are counted for whoever has it. */
function ownerOf(request: IncomingMessage): string {
  return keyOf(request) ?? "";
}

function named({ request, requestId, route, opened }: Exchange, message: string): NamedRequest {
  const asker = opened === undefined ? {} : { botId: opened.id, key: opened.key.name };
  return { message, requestId, method: request.method ?? "", route, ...asker };
}

function handlerFor<Handler>(route: Route<Handler>, method: string): Handler {
  const handler = handlerOf(route, method);
  if (handler !== undefined) return handler;
  throw new HttpError("METHOD_NOT_ALLOWED", undefined, { allow: allowedMethods([route]) });
}
