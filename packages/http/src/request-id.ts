import { randomUUID } from "node:crypto";

const HEADER_VALUE = /^[\w.:/+=@-]{1,128}$/;

/** The id of a request: the sender's if a header and a log can hold it as it is, else a random one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && HEADER_VALUE.test(header) ? header : randomUUID();
}
