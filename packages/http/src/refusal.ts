import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { failureOf, HttpError, violation } from "./errors.ts";
import { requestIdOf } from "./request-id.ts";
import { commonHeaders } from "./response.ts";
import { strictTransport } from "./security-headers.ts";

/** The whole answer to unreadable input, as it is sent. */
export interface Refusal {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
  /** Its name in the table of errors. */
  readonly code: string;
}

/** Makes the refusal of a connection. @param reason Node's code for the error, one of the server's own */
export function refusalOf(reason: string, socket: Duplex): Refusal {
  const { reply, code } = failureOf(errorOf(reason));
  const requestId = requestIdOf(undefined);
  const body = [...reply.slices].join("");
  const headers = {
    ...commonHeaders(requestId),
    ...strictTransport(socket),
    ...reply.headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = reply;
  return {
    status,
    requestId,
    code,
    text: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`,
  };
}

function errorOf(reason: string): Error {
  switch (reason) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new HttpError("REQUEST_TIMEOUT");
    case "HPE_HEADER_OVERFLOW":
      return new HttpError("HEADERS_TOO_LARGE");
    default:
      return violation("What was sent is not a valid HTTP/1.1 request.", "request", "http");
  }
}
