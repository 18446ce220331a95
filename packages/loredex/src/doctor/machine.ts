import { type Check, fine, note } from "./check.ts";

const NODE = "node";
const MEND = "install Node 24, or the newest 22 or 26";

/**
 * Checks whether this Node is new enough.
 * @param engines the least version in the form of a manifest: `>=20.19.2`
 */
export function checkNode(version: string, engines: string): Check {
  const least = engines.replace(/^\D+/, "");
  if (!isOlder(version, least)) return fine(NODE, `Node ${version}`);
  const message = `Loredex needs Node ${least} or later, and this is Node ${version}. To mend it: ${MEND}`;
  return { name: NODE, state: "wrong", message, mend: MEND };
}

export function checkPlatform(platform: string, arch: string): Check {
  const message = `${platform} on ${arch}`;
  if (platform !== "win32") return fine("platform", message);
  const rest = '"loredex serve" does not run on Windows; the other commands and the library do without it';
  return note("platform", { message: `${message}: ${rest}` });
}

function isOlder(version: string, least: string): boolean {
  const [own, needed] = [numbersOf(version), numbersOf(least)];
  const at = needed.findIndex((number, i) => number !== own[i]);
  return at >= 0 && (own[at] ?? 0) < (needed[at] ?? 0);
}

/** Major, minor and patch of a version. */
function numbersOf(version: string): number[] {
  return version.split(/[.-]/, 3).map(Number);
}
