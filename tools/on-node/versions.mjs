import { readFileSync } from "node:fs";

/** The newest released Node that Loredex is tried on. The one place that names it. */
const NEWEST = "26";

/** The oldest one, as package.json promises it: "20.19.2" of ">=20.19.2". */
function oldest() {
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const version = /^>=(\d+(?:\.\d+){0,2})$/.exec(engines.node)?.[1];
  if (version === undefined) throw new Error(`"engines" of package.json names no oldest Node: "${engines.node}"`);
  return version;
}

/**
 * @param {string} asked "oldest", "newest" or a version
 * @returns {string} a version as npm understands it: "26", "24.1" or "20.19.2"
 */
export function versionOf(asked) {
  if (asked === "oldest") return oldest();
  if (asked === "newest") return NEWEST;
  if (/^\d+(\.\d+){0,2}$/.test(asked)) return asked;
  throw new Error(`"${asked}" is no version of Node: say oldest, newest, 26 or 20.19.2`);
}
