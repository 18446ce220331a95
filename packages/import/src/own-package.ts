import { readFileSync } from "node:fs";

/** The used part of the package's own manifest. */
interface Manifest {
  readonly version: string;
  readonly homepage: string;
}

let manifest: Manifest | undefined;

/** Returns the manifest, both for sources and for a build. It is read once. */
export function ownPackage(): Manifest {
  manifest ??= readManifest(import.meta.url);
  return manifest;
}

/** @param moduleUrl a parameter: if `new URL` names a file beside `import.meta.url`, bundlers try to bundle that file */
function readManifest(moduleUrl: string): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", moduleUrl), "utf8"));
}
