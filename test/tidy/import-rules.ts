import { posix } from "node:path";

/** Who may import whom. A room of core is a folder of its `src`; files beside them compose rooms or are leaves. */

/** Files of core that every room may import. */
const LEAVES = new Set([
  "types.ts",
  "explanation.ts",
  "limits.ts",
  "errors.ts",
  "clock.ts",
  "records.ts",
  "options.ts",
  "log-event.ts",
  "validation.ts",
  "slices.ts",
]);

/** Rooms that a room may import besides itself and the leaves. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  article: [],
  document: [],
  markdown: [],
  text: [],
  embedding: [],
  lexical: [],
  vector: [],
  accounting: [],
  evaluation: [],
  storage: [],
  catalog: [],
  query: ["lexical", "vector", "text", "embedding", "markdown"],
};

/** Ports of a room that others may name: an interface says nothing about what stands behind it. */
const PORTS = new Set(["storage/store.ts", "text/analyzer.ts"]);

/** Packages, and those of ours that each may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: ["@loredex/core"],
  minilm: ["@loredex/core"],
  multilingual: ["@loredex/core"],
  openai: ["@loredex/core"],
  import: ["@loredex/core"],
  loredex: [
    "@loredex/core",
    "@loredex/http",
    "@loredex/minilm",
    "@loredex/multilingual",
    "@loredex/openai",
    "@loredex/import",
  ],
};

/** Why this import breaks a rule; undefined if it does not. `file` is a path from the project's root. */
export function forbidden(file: string, imported: string): string | undefined {
  const [, ownPackage, , ...inside] = file.split("/");
  if (ownPackage === undefined) return undefined;
  if (imported.startsWith(".")) {
    if (ownPackage !== "core") return staysInside(file, imported, ownPackage);
    return roomRule(inside.join("/"), posix.join(posix.dirname(inside.join("/")), imported));
  }
  const isOurs = imported === "loredex" || imported.startsWith("@loredex/");
  if (isOurs && !(PACKAGES[ownPackage] ?? []).includes(imported)) return `${ownPackage} may not import ${imported}`;
  return undefined;
}

function staysInside(file: string, imported: string, ownPackage: string): string | undefined {
  const target = posix.join(posix.dirname(file), imported);
  return target.startsWith(`packages/${ownPackage}/`) ? undefined : `${ownPackage} reaches into ${target}`;
}

function roomRule(from: string, to: string): string | undefined {
  if (LEAVES.has(to) || PORTS.has(to))
    return LEAVES.has(from) && PORTS.has(to) ? `the leaf ${from} imports ${to}` : undefined;
  if (LEAVES.has(from)) return `the leaf ${from} imports ${to}`;
  const room = from.includes("/") ? from.slice(0, from.indexOf("/")) : undefined;
  if (room === undefined) return undefined;
  const target = to.includes("/") ? to.slice(0, to.indexOf("/")) : undefined;
  if (target === undefined) return `the room ${room} imports ${to}, which composes rooms`;
  if (target === room || (ROOMS[room] ?? []).includes(target)) return undefined;
  return `the room ${room} imports the room ${target}`;
}
