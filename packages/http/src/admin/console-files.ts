import { acceptedCoding } from "../compression/accepted-coding.ts";
import { HttpError } from "../errors.ts";
import { bytesInSlices, type Reply } from "../reply.ts";
import type { ConsoleFile } from "./port.ts";

/** The console's page and what it loads. It loads only files of this server and sends requests only to this server; no page may frame it. */
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const FOR_EVER = { "cache-control": "public, max-age=31536000, immutable" };
const PAGE = "index.html";

type Files = ReadonlyMap<string, ConsoleFile>;

/** The path below `/console/`; undefined for a path outside of it. */
export function consolePath(segments: readonly string[]): string | undefined {
  const [root, first, ...rest] = segments;
  return root === "" && first === "console" ? rest.join("/") : undefined;
}

/** A file of the console. A path without a dot is a view of the page. @throws HttpError `ROUTE_NOT_FOUND` */
export function consoleReply(files: Files, path: string, acceptEncoding: string | undefined): Reply {
  const file = files.get(path) ?? (path.includes(".") ? undefined : files.get(PAGE));
  if (file === undefined) throw new HttpError("ROUTE_NOT_FOUND");
  const packed = acceptedCoding(acceptEncoding, ["gzip"]) === "gzip" ? file.gzip : undefined;
  const bytes = packed ?? file.bytes;
  const headers = {
    "content-type": file.type,
    "content-length": String(bytes.length),
    "content-security-policy": CONSOLE_POLICY,
    "cross-origin-opener-policy": "same-origin",
    ...(file.gzip === undefined ? {} : { vary: "accept-encoding" }),
    ...(packed === undefined ? {} : { "content-encoding": "gzip" }),
    ...(file.immutable ? FOR_EVER : {}),
  };
  return { status: 200, headers, slices: bytesInSlices(bytes) };
}
