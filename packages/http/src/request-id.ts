import { randomUUID } from "node:crypto";

const HEADER_VALUE = /^[\w.:/+=@-]{1,128}$/;

/** The id under which a request is known: the sender's if it can stand in a header and a log as it is, else a random one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && HEADER_VALUE.test(header) ? header : randomUUID();
}
