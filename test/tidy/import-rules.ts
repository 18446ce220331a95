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
  knowledge: ["state", "article"],
  upkeep: ["state", "query", "embedding", "vector"],
  catalog: ["article", "state"],
  operator: ["catalog", "state", "storage", "article", "text", "embedding", "query"],
};

/** The files that tell the story, and the only ones beside the rooms: they compose them. */
export const TOP_FLOOR = [
  "bot.ts",
  "bots-in-use.ts",
  "engine-options.ts",
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
  import: ["@loredex/core"],
  minilm: ["@loredex/core"],
  openai: ["@loredex/core"],
  loredex: ["@loredex/core", "@loredex/http", "@loredex/import", "@loredex/minilm", "@loredex/openai"],
};

/** Everything that the rules allow beyond a room's own files and the leaves, by the names that {@link ruleOn} gives it. */
export const ALLOWANCES: readonly string[] = [
  ...pairs(ROOMS),
  ...[...PORTS].map((port) => `the port ${port}`),
  ...pairs(PACKAGES),
];

/** What the rules say of an import: why it breaks one, or which allowance it needs, if it needs any. */
interface Ruling {
  readonly why?: string;
  readonly allowance?: string;
}

/** `file` is a path from the project's root. */
export function ruleOn(file: string, imported: string): Ruling {
  const [, ownPackage, , ...inside] = file.split("/");
  if (ownPackage === undefined) return {};
  if (imported.startsWith(".")) {
    if (ownPackage !== "core") return staysInside(file, imported, ownPackage);
    return roomRule(inside.join("/"), posix.join(posix.dirname(inside.join("/")), imported));
  }
  const isOurs = imported === "loredex" || imported.startsWith("@loredex/");
  if (!isOurs) return {};
  const [named = imported] = /^(?:@loredex\/)?\w+/.exec(imported) ?? [];
  const isAllowed = (PACKAGES[ownPackage] ?? []).includes(named);
  return isAllowed
    ? { allowance: `${ownPackage} imports ${named}` }
    : { why: `${ownPackage} may not import ${imported}` };
}

function staysInside(file: string, imported: string, ownPackage: string): Ruling {
  const target = posix.join(posix.dirname(file), imported);
  return target.startsWith(`packages/${ownPackage}/`) ? {} : { why: `${ownPackage} reaches into ${target}` };
}

function roomRule(from: string, to: string): Ruling {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === undefined || target === room) return {};
  if (LEAVES.has(room)) return LEAVES.has(target ?? "") ? {} : { why: `the leaf ${room} imports ${to}` };
  if (target === undefined) return { why: `the room ${room} imports ${to}, which composes rooms` };
  if (LEAVES.has(target)) return {};
  if (ROOMS[room]?.includes(target)) return { allowance: `${room} imports ${target}` };
  if (PORTS.has(to)) return { allowance: `the port ${to}` };
  return {
    why: ROOMS[room] === undefined ? `the room ${room} has no rule` : `the room ${room} imports the room ${target}`,
  };
}

/** The folder of core's sources that a file lies in; undefined for the top floor. */
function roomOf(file: string): string | undefined {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : undefined;
}

function pairs(rules: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(rules).flatMap(([from, all]) => all.map((to) => `${from} imports ${to}`));
}
