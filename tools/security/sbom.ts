import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One part, as CycloneDX has it: what is read of it here. */
export interface Part {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
}

export interface PartsList {
  readonly components: readonly Part[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const VIEWER: { readonly name: string; readonly version: string; readonly license: string } = JSON.parse(
  readFileSync(new URL("../../packages/http/viewer/viewer.json", import.meta.url), "utf8"),
);
/** It is no package of the lockfile's. */
const VIEWER_REF = `${VIEWER.name}@${VIEWER.version}`;
const FOR_DEVELOPMENT = "cdx:npm:package:development";

/**
 * The parts list (CycloneDX 1.5) of all that is installed with the published packages, by npm from package-lock.json. `npm sbom --omit dev` leaves out
 * what development needs as well, so npm lists all, and what it marks as for development alone goes.
 */
export function partsList(): PartsList {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  // What npm writes is the format's own, of which PartsList names the fields that are read.
  const all: PartsList & { readonly metadata: { readonly component: object } } = JSON.parse(
    execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1_048_576, stdio: "pipe" }),
  );
  const published = all.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === FOR_DEVELOPMENT),
  );
  const refs = new Set(published.map((part) => part["bom-ref"]));
  // Two files of it are in a package of ours; npm knows of none.
  const { name, version, license } = VIEWER;
  const purl = `pkg:npm/${name}@${version}`;
  const viewer = {
    "bom-ref": VIEWER_REF,
    type: "library",
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
  };
  const [root] = all.dependencies;
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...all.metadata.component, name: "loredex" } },
    // npm calls parts of a workspace by their folders.
    components: [...published.map((part) => ({ ...part, name: nameOf(part["bom-ref"]) })), viewer],
    dependencies: all.dependencies
      .filter(({ ref }) => ref === root?.ref || refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
      .map((each) =>
        nameOf(each.ref) === "@loredex/http" ? { ...each, dependsOn: [...each.dependsOn, VIEWER_REF] } : each,
      ),
  } as PartsList;
}

/** `name` of `name@version`, also where the name has a scope. */
export function nameOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("@"));
}
