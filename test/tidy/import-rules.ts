import { posix } from "node:path";

/** Who may import whom. A room of core is a folder of its `src`; files beside them compose rooms or are leaves. */

/** Rooms of leaves: every room may import them, and they import nothing but each other. */
const LEAVES = new Set(["domain", "runtime"]);

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
  state: ["accounting", "document"],
  query: ["lexical", "vector", "text", "embedding", "markdown"],
  knowledge: ["state", "article", "document"],
  upkeep: ["state", "query", "embedding", "vector"],
  catalog: ["article", "state"],
  operator: ["catalog", "state", "storage", "article", "text", "embedding", "query"],
};

/** The files that tell the story, and the only ones beside the rooms: they compose them. */
export const TOP_FLOOR = [
  "bot.ts",
  "bots-in-use.ts",
  "engine.ts",
  "explain.ts",
  "index.ts",
  "ingest.ts",
  "open-bot.ts",
  "search.ts",
];

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
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === undefined || target === room) return undefined;
  if (LEAVES.has(room)) return LEAVES.has(target ?? "") ? undefined : `the leaf ${room} imports ${to}`;
  if (target === undefined) return `the room ${room} imports ${to}, which composes rooms`;
  if (LEAVES.has(target) || PORTS.has(to) || ROOMS[room]?.includes(target)) return undefined;
  return ROOMS[room] === undefined ? `the room ${room} has no rule` : `the room ${room} imports the room ${target}`;
}

/** The folder of core's sources that a file lies in; undefined for the top floor. */
function roomOf(file: string): string | undefined {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : undefined;
}
