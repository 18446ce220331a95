/** Which licences may come with what is published: those that ask for no more than to be named, and to keep their text. */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Zlib",
]);

/** Packages whose field says less than their text does. */
const BY_TEXT: Readonly<Record<string, string>> = {
  // Two clauses.
  "duck@0.1.12": "BSD-2-Clause",
};

/** The licence of a package, of which `field` is what its package.json says. */
export function licenceOf(nameAtVersion: string, field: string | undefined): string {
  return BY_TEXT[nameAtVersion] ?? field ?? "none told";
}

/** Whether a licence is allowed: of several that may be chosen from one is enough, of several that hold together all must be. */
export function isAllowed(licence: string): boolean {
  const bare = licence.replaceAll(/[()]/g, "");
  if (bare.includes(" OR ") && bare.includes(" AND ")) return false;
  if (bare.includes(" OR ")) return bare.split(" OR ").some((each) => ALLOWED.has(each));
  return bare.split(" AND ").every((each) => ALLOWED.has(each));
}
