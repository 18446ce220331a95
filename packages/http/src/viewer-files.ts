import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The viewer's directory: beside the sources, and beside the build. */
const VIEWER = viewerDirectory(import.meta.url);

/** The files that the page at `/docs` loads: the viewer's, and the script that starts it. */
export const PAGE_FILES = { viewer: "swagger-ui-bundle.js", style: "swagger-ui.css", start: "start.js" } as const;

const packed = new Map<string, Buffer>();
const unpacked = new Map<string, Buffer>();

/**
 * A file of the viewer, compressed by gzip or not. It is read on its first request, and kept.
 * @throws Node's error if it is missing: then the package was bundled without it
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
