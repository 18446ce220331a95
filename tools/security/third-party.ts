import { licenceOf } from "./licences.ts";
import { nameOf, type PartsList } from "./sbom.ts";

/** One package that is not ours. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Which packages of ours bring it. */
  readonly broughtBy: readonly string[];
}

const isOurs = (name: string): boolean => name === "loredex" || name.startsWith("@loredex/");

/** What others made of what is in a parts list, by name and version. */
export function thirdPartyOf({ components, dependencies }: PartsList): ThirdParty[] {
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn]));
  const broughtBy = new Map<string, Set<string>>();
  const walk = (ref: string, by: string): void => {
    if (isOurs(nameOf(ref))) return;
    const known = broughtBy.get(ref) ?? new Set();
    broughtBy.set(ref, known);
    if (known.has(by)) return;
    known.add(by);
    for (const next of dependsOn.get(ref) ?? []) walk(next, by);
  };
  for (const { ref, dependsOn: needed } of dependencies)
    if (isOurs(nameOf(ref))) for (const each of needed) walk(each, nameOf(ref));
  return components
    .filter(({ name }) => !isOurs(name))
    .map((part) => {
      const [first] = part.licenses ?? [];
      const licence = licenceOf(part["bom-ref"], first?.license?.id ?? first?.expression);
      const by = [...(broughtBy.get(part["bom-ref"]) ?? [])].sort();
      return { name: part.name, version: part.version, licence, broughtBy: by };
    })
    .sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1));
}

/** The rows of the page, a line each. */
export function rowsOf(parts: readonly ThirdParty[]): string {
  return parts
    .map(({ name, version, licence, broughtBy }) => `| ${name} | ${version} | ${licence} | ${broughtBy.join(", ")} |\n`)
    .join("");
}

const HEADER = "| package | version | licence | comes with |\n|---|---|---|---|\n";

/** The page with these rows in place of those that it has. */
export function pageWith(page: string, rows: string): string {
  const start = page.indexOf(HEADER) + HEADER.length;
  const end = page.indexOf("\n\n", start - 1) + 1;
  return page.slice(0, start) + rows + page.slice(end);
}
