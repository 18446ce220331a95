import { readFileSync } from "node:fs";

/** The used fields of the package's own manifest. */
interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The manifest of this package, for its sources and its build. */
export function ownPackage(): Manifest {
  return readManifest(import.meta.url);
}

/** @param moduleUrl a parameter: if `new URL` names a file beside `import.meta.url`, bundlers try to bundle that file */
function readManifest(moduleUrl: string): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", moduleUrl), "utf8"));
}
