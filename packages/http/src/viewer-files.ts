import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Beside the sources and beside what is built of them. */
const VIEWER = viewerDirectory(import.meta.url);

/** What the page at `/docs` loads: the viewer's files, and the script that starts it. */
export const PAGE_FILES = { viewer: "swagger-ui-bundle.js", style: "swagger-ui.css", start: "start.js" } as const;

const packed = new Map<string, Buffer>();
const unpacked = new Map<string, Buffer>();

/**
 * A file of the viewer, packed by gzip or as it is. It is read when it is first asked for, and kept.
 * @throws Error of Node's if it is not there: then the package was bundled without it
 */
export function viewerFile(name: string, asGzip: boolean): Buffer {
  const gzip = kept(packed, name, () => readFileSync(new URL(`${name}.gz`, VIEWER)));
  return asGzip ? gzip : kept(unpacked, name, () => gunzipSync(gzip));
}

/** @param moduleUrl a parameter: if `new URL` names a directory beside `import.meta.url`, bundlers take it for a module and fail */
function viewerDirectory(moduleUrl: string): URL {
  return new URL("../viewer/", moduleUrl);
}

function kept(files: Map<string, Buffer>, name: string, make: () => Buffer): Buffer {
  const bytes = files.get(name) ?? make();
  files.set(name, bytes);
  return bytes;
}
