import type { IncomingMessage } from "node:http";
import { ValidationError, type Violation } from "@loredex/core";

/** A name or an address, with or without a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/**
 * Refuses a request that a proxy in front of the server may read differently: that is how requests are smuggled past a proxy.
 * @throws ValidationError
 */
export function checkFraming({ headersDistinct, httpVersion }: IncomingMessage): void {
  const violations: Violation[] = [];
  const refuse = (field: string, message: string) => violations.push({ message, field, type: "header" });
  const hosts = headersDistinct.host ?? [];
  const [host] = hosts;
  if (hosts.length > 1 || (host === undefined && httpVersion !== "1.0")) {
    refuse("host", "The request must have exactly one Host header.");
  } else if (host !== undefined && !HOST.test(host)) {
    refuse("host", "The Host header must be a name or an address, with or without a port.");
  }
  // Node reads requests of later versions as HTTP/1.1.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    refuse("http-version", "The request must be of HTTP/1.1 or HTTP/1.0.");
  }
  if (httpVersion === "1.0" && headersDistinct["transfer-encoding"] !== undefined) {
    refuse("transfer-encoding", "A request of HTTP/1.0 must have a Content-Length instead of Transfer-Encoding.");
  }
  const codings = headersDistinct["transfer-encoding"] ?? ["chunked"];
  if (codings.length > 1 || codings[0]?.toLowerCase() !== "chunked") {
    refuse("transfer-encoding", "Transfer-Encoding must be chunked and nothing else.");
  }
  if (violations.length > 0) throw new ValidationError(violations);
}
