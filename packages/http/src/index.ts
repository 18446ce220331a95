/** The HTTP API of Loredex on node:http. */

export type { ApiBot, ApiEngine } from "./engine.ts";
export { type ApiHandler, type ApiHandlerOptions, createApiHandler } from "./handler.ts";
export type { ConnectionRefusedEvent, HttpLogEvent, HttpLogger, RequestEvent, RequestFailedEvent } from "./log.ts";
export type { ApiServerOptions, Timeouts } from "./options.ts";
export { type ApiServer, createApiServer, type ListenOptions } from "./server.ts";
