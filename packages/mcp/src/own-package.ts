import { readFileSync } from "node:fs";

/** What is read of the package's own manifest. */
interface Manifest {
  readonly version: string;
}

/** The manifest, whether this runs from its sources or from its build. */
export function ownPackage(): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
}
