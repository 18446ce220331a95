import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";

/** A file of the page, as a server sends it. */
export interface ConsoleFile {
  readonly bytes: Uint8Array;
  /** The same compressed by gzip. Absent if that would not be smaller. */
  readonly gzip?: Uint8Array;
  /** Its media type, with its charset. */
  readonly type: string;
  /** Whether its name has a hash of its content, so that it may be cached for ever. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

let files: ReadonlyMap<string, ConsoleFile> | undefined;

/**
 * The files of the page by their path under `/console/`: `index.html`, and those that it loads. They are read and compressed at the first call, in some
 * ten milliseconds, and kept.
 * @throws Node's error if the page was not built
 */
export function consoleFiles(): ReadonlyMap<string, ConsoleFile> {
  files ??= filesIn(builtPage(import.meta.url));
  return files;
}

/** The files of a built page. `directory` ends with a slash. */
export function filesIn(directory: URL): ReadonlyMap<string, ConsoleFile> {
  const paths: readonly string[] = JSON.parse(readFileSync(new URL("manifest.json", directory), "utf8"));
  return new Map(paths.map((path) => [path, fileAt(path, readFileSync(new URL(path, directory)))]));
}

function fileAt(path: string, bytes: Uint8Array): ConsoleFile {
  const gzip = gzipSync(bytes, { level: 9 });
  return {
    bytes,
    ...(gzip.length < bytes.length && { gzip }),
    type: TYPES[extname(path)] ?? "application/octet-stream",
    immutable: path.startsWith("assets/"),
  };
}

/** @param moduleUrl a parameter: if `new URL` names a directory beside `import.meta.url`, bundlers take it for a module and fail */
function builtPage(moduleUrl: string): URL {
  return new URL("../dist/page/", moduleUrl);
}
