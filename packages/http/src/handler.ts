import type { IncomingMessage, ServerResponse } from "node:http";
import { kinds, requireArguments } from "@loredex/core";
import { AN_ENGINE, type ApiEngine } from "./engine.ts";
import { Exchanges } from "./exchange.ts";
import {
  API_SERVER_OPTIONS,
  type ApiServerOptions,
  HANDLER_TIMEOUTS,
  serverSettings,
  type Timeouts,
} from "./options.ts";
import { splitTarget } from "./request-target.ts";
import { matchRoute, pathSegments } from "./router.ts";
import { type Routes, routesWith } from "./routes/table.ts";

/** The options of the server that concern requests. The connections belong to the app. */
export interface ApiHandlerOptions
  extends Omit<ApiServerOptions, "connectionsMax" | "connectionRequestsMax" | "timeouts" | "tls" | "admin"> {
  /**
   * The path in front of the API's own paths in the address that the handler sees, for example `/kb`.
   * Default: none, as under `app.use("/kb", handler)` of Express, which removes it.
   */
  readonly prefix?: string;
  readonly timeouts?: Omit<Timeouts, "headersMs" | "requestMs" | "keepAliveMs">;
}

const { connectionsMax: _, connectionRequestsMax: __, tls: ___, admin: ____, ...OF_REQUESTS } = API_SERVER_OPTIONS;
const API_HANDLER_OPTIONS: kinds.OptionKinds<ApiHandlerOptions> = {
  ...OF_REQUESTS,
  prefix: kinds.A_STRING,
  timeouts: HANDLER_TIMEOUTS,
};

/** The HTTP API of one engine as a function, for a server of your own (HTTP/1.1). */
export interface ApiHandler {
  /**
   * Answers a request. For a path outside the API, `next` is called without arguments; without `next` the answer is 404.
   * `/` counts as outside if there is no `prefix`: it may be the app's own start page.
   * If a parser has read the body before, it is taken from `request.body`: an object, a string or bytes.
   */
  (request: IncomingMessage, response: ServerResponse, next?: () => void): void;
  /** From now on `/ready` answers "not ready" and each answer ends its connection. For an app that is about to close its server. */
  drain(): void;
}

/** Makes a handler. @throws RangeError for a prefix that makes no sense, ValidationError for an unknown option or one of a wrong kind */
export function createApiHandler(engine: ApiEngine, options: ApiHandlerOptions = {}): ApiHandler {
  requireArguments("createApiHandler", { engine, options }, { engine: AN_ENGINE, options: API_HANDLER_OPTIONS });
  const settings = serverSettings({ compression: false, ...options });
  const prefix = checkedPrefix(options.prefix ?? "");
  const state = { isReady: true, isClosing: false, condition: () => engine.condition() };
  const routes = routesWith(settings);
  const exchanges = new Exchanges(engine, settings, state);
  const handle = (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
    const target = withoutPrefix(request.url ?? "", prefix);
    if (next !== undefined && !isOfApi(routes, target, prefix)) {
      next();
      return;
    }
    void exchanges.handle(request, response, { target, awaitsContinue: false });
  };
  const drain = (): void => {
    state.isReady = false;
    state.isClosing = true;
  };
  return Object.assign(handle, { drain });
}

function checkedPrefix(prefix: string): string {
  let given = prefix;
  while (given.endsWith("/")) given = given.slice(0, -1);
  if (given === "" || /^(?:\/[^/?#\s]+)+$/.test(given)) return given;
  throw new RangeError(`prefix must begin with a slash, as in /kb, and not be ${JSON.stringify(prefix)}`);
}

/** A target that no route has: an empty one would be `/`. */
const OUTSIDE = "outside";

/** The request's target within the API. The prefix itself and paths beside it are outside of it. */
function withoutPrefix(url: string, prefix: string): string {
  const { path, query } = splitTarget(url);
  const isUnder = prefix === "" || path.startsWith(`${prefix}/`);
  const inside = isUnder ? path.slice(prefix.length) : OUTSIDE;
  return query === "" ? inside : `${inside}?${query}`;
}

function isOfApi({ all }: Routes, target: string, prefix: string): boolean {
  const { path } = splitTarget(target);
  // Without a prefix this is the start page of the app.
  if (path === "/" && prefix === "") return false;
  return matchRoute(all, pathSegments(path)) !== undefined;
}
