import { readFileSync } from "node:fs";

/** What is read of the package's own manifest. */
interface Manifest {
  readonly version: string;
  readonly homepage: string;
}

let manifest: Manifest | undefined;

/** The manifest, whether this runs from its sources or from its build. It is read once. */
export function ownPackage(): Manifest {
  manifest ??= readManifest(import.meta.url);
  return manifest;
}

/** @param moduleUrl a parameter: if `new URL` names a file beside `import.meta.url`, bundlers try to bundle that file */
function readManifest(moduleUrl: string): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", moduleUrl), "utf8"));
}
