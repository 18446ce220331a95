/** The HTTP API of Loredex on node:http. */

export { tooManyJobs } from "./admin/jobs.ts";
export type * from "./admin/port.ts";
export { ADMIN_OPERATIONS } from "./admin/table.ts";
export { type Certificate, CertificateError, checkCertificate } from "./certificate.ts";
export type { ApiBot, ApiEngine } from "./engine.ts";
export { FAILURE_NAMES } from "./errors.ts";
export { type ApiHandler, type ApiHandlerOptions, createApiHandler } from "./handler.ts";
export type {
  ConnectionRefusedEvent,
  HandshakeFailedEvent,
  HttpLogEvent,
  HttpLogger,
  RequestEvent,
  RequestFailedEvent,
} from "./log.ts";
export { API_SERVER_OPTIONS, type ApiServerOptions, type Timeouts } from "./options.ts";
export { API_OPERATIONS } from "./routes/table.ts";
export { SECURITY_HEADERS } from "./security-headers.ts";
export { type ApiServer, createAdminServer, createApiServer, type ListenOptions } from "./server.ts";
export { A_MODE, clearSocketPlace, SocketError, type SocketListenOptions } from "./unix-socket.ts";
