import { readFileSync } from "node:fs";

/** What is read of the package's own manifest. */
interface Manifest {
  readonly version: string;
  readonly homepage: string;
}

let manifest: Manifest | undefined;

/** The manifest, whether this runs from its sources or from its build. It is read once. */
export function ownPackage(): Manifest {
  manifest ??= readManifest();
  return manifest;
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
}
