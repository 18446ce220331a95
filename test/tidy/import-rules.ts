import { posix } from "node:path";

/** Who may import whom. A room is a folder of a package's `src`, or one inside that; files beside rooms compose them or are leaves. */

/** How the rooms of a package stand to each other. */
interface House {
  /** Rooms and files beside them that every room may import. Such a room imports nothing but leaves. */
  readonly leaves: ReadonlySet<string>;
  /** Ports of a room that others may name: an interface says nothing about what stands behind it. */
  readonly ports: ReadonlySet<string>;
  /** Rooms, and composing files beside them, that a room may import besides itself and the leaves. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
}

const CORE: Readonly<Record<string, readonly string[]>> = {
  analysis: [],
  markdown: [],
  embedding: [],
  quotas: [],
  nodes: ["quotas"],
  evaluation: [],
  storage: [],
  "index/postings": [],
  "index/vectors": [],
  "index/token-codes": [],
  // The index holds what the searches of its bot work in: their budget, and what they found of each document.
  index: ["index/postings", "index/vectors", "index/suggestions", "analysis", "markdown", "search", "search/filters"],
  "index/suggestions": ["index", "index/postings", "analysis", "markdown"],
  "index/snapshot": ["index", "index/postings", "markdown"],
  search: [
    "index",
    "index/postings",
    "index/vectors",
    "index/token-codes",
    "search/filters",
    "search/rerank",
    "analysis",
    "embedding",
    "markdown",
    "vocabulary",
  ],
  "search/filters": ["index", "index/vectors", "search"],
  "search/rerank": ["index", "search", "embedding"],
  "search/explain": ["index", "index/postings", "search", "search/filters", "search/rerank", "embedding"],
  insights: ["catalog", "evaluation", "log"],
  log: ["nodes", "quotas"],
  vocabulary: ["log", "index/postings", "markdown"],
  articles: ["log", "quotas"],
  imports: ["log"],
  background: ["background/embedding", "index", "index/snapshot", "index/vectors", "log", "nodes", "quotas"],
  "background/embedding": [
    "background",
    "embedding",
    "index",
    "index/snapshot",
    "index/token-codes",
    "index/vectors",
    "log",
    "nodes",
  ],
  catalog: ["articles", "log", "nodes"],
  administration: ["catalog", "log", "nodes"],
  operations: ["articles", "catalog", "embedding", "index", "index/token-codes", "insights", "log", "storage"],
  "../testing": ["embedding", "index/vectors", "quotas", "storage"],
};

/** What core offers the tests of others (`packages/core/testing`), as a room beside those of `src`. */
const TEST_SUPPORT = "../testing";
const FOR_TESTS = "is test support, which no program may import";

/** The files that tell the story, and the only ones beside the rooms: they compose them. */
export const TOP_FLOOR = [
  "bot.ts",
  "bots-in-use.ts",
  "engine-options.ts",
  "engine-parts.ts",
  "engine.ts",
  "index.ts",
  "ingest.ts",
  "open-bot.ts",
  "questions.ts",
  "settings-in-use.ts",
];

const IMPORT: Readonly<Record<string, readonly string[]>> = {
  files: [],
  convert: ["files"],
  isolated: ["convert", "files"],
  vocabulary: ["convert", "files"],
  web: ["convert"],
  "sources/belonging": ["files", "web"],
  "sources/reading": ["sources/belonging", "convert", "files", "isolated", "web"],
  "sources/importing": ["sources/reading", "sources/belonging", "files"],
  "sources/keeping": ["sources/importing", "sources/reading", "sources/belonging"],
};

const HTTP: Readonly<Record<string, readonly string[]>> = {
  admin: ["compression", "routes"],
  admission: [],
  compression: [],
  dify: [],
  openapi: ["dify"],
  routes: ["compression", "dify", "openapi"],
};

const LOREDEX: Readonly<Record<string, readonly string[]>> = {
  terminal: [],
  admin: ["operator"],
  evaluation: [],
  metrics: [],
  configuration: [],
  log: ["terminal"],
  completion: ["configuration"],
  operator: [],
  tls: [],
  doctor: ["operator", "terminal"],
  commands: [
    "completion",
    "configuration",
    "doctor",
    "evaluation",
    "log",
    "metrics",
    "operator",
    "terminal",
    "serve.ts",
  ],
  arguments: ["commands", "configuration"],
};

const HOUSES: Readonly<Record<string, House>> = {
  core: {
    leaves: new Set(["model", "platform", "scheduling"]),
    ports: new Set(["storage/store.ts", "storage/block-store.ts", "analysis/analyzer.ts"]),
    rooms: CORE,
  },
  import: { leaves: new Set(["limits.ts", "own-package.ts", "stopping.ts"]), ports: new Set(), rooms: IMPORT },
  http: {
    leaves: new Set([
      "engine.ts",
      "errors.ts",
      "json.ts",
      "key.ts",
      "reply.ts",
      "request-target.ts",
      "router.ts",
      "viewer-files.ts",
    ]),
    ports: new Set(),
    rooms: HTTP,
  },
  loredex: {
    leaves: new Set([
      "embedders.ts",
      "engine.ts",
      "optional-package.ts",
      "output-file.ts",
      "own-package.ts",
      "place.ts",
      "salvaged-article.ts",
    ]),
    ports: new Set(),
    rooms: LOREDEX,
  },
};

/** Packages, and those of ours that each may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  client: [],
  console: ["@loredex/core"],
  core: [],
  encoder: ["@loredex/core"],
  hnswlib: ["@loredex/core"],
  http: ["@loredex/core"],
  import: ["@loredex/core"],
  mcp: ["@loredex/client"],
  minilm: ["@loredex/core", "@loredex/encoder"],
  multilingual: ["@loredex/core", "@loredex/encoder"],
  openai: ["@loredex/core"],
  postgres: ["@loredex/core"],
  loredex: [
    "@loredex/console",
    "@loredex/core",
    "@loredex/http",
    "@loredex/import",
    "@loredex/mcp",
    "@loredex/minilm",
    "@loredex/multilingual",
    "@loredex/openai",
    "@loredex/postgres",
  ],
};

/** Everything that the rules allow beyond a room's own files and the leaves, by the names that {@link ruleOn} gives it. */
export const ALLOWANCES: readonly string[] = [
  ...Object.values(HOUSES).flatMap(({ rooms, ports }) => [
    ...pairs(rooms),
    ...[...ports].map((port) => `the port ${port}`),
  ]),
  ...pairs(PACKAGES),
];

/** What the rules say of an import: why it breaks one, or which allowance it needs, if it needs any. */
interface Ruling {
  readonly why?: string;
  readonly allowance?: string;
}

/** `file` is a path from the project's root. */
export function ruleOn(file: string, imported: string): Ruling {
  const [, ownPackage] = file.split("/");
  if (ownPackage === undefined) return {};
  const inSources = (path: string) => posix.relative(`packages/${ownPackage}/src`, path);
  const from = inSources(file);
  if (imported.startsWith(".")) {
    const house = HOUSES[ownPackage];
    const outside = staysInside(file, imported, ownPackage);
    if (house === undefined || outside.why !== undefined) return outside;
    return roomRule(house, from, inSources(posix.join(posix.dirname(file), imported)));
  }
  // Whichever runner of tests a user has, it is no dependency of core.
  if (from.startsWith(TEST_SUPPORT) && imported !== "node:assert")
    return { why: `${file} imports ${imported}: for tests, core needs node:assert alone` };
  if (imported === "@loredex/core/testing") return { why: `${imported} ${FOR_TESTS}` };
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

function roomRule(house: House, from: string, to: string): Ruling {
  const { leaves, ports, rooms } = house;
  const [room, target] = [roomOf(house, from), roomOf(house, to) ?? to];
  if (target === TEST_SUPPORT && room !== TEST_SUPPORT) return { why: `${to} ${FOR_TESTS}` };
  if (room === undefined || target === room) return {};
  if (leaves.has(room)) return leaves.has(target) ? {} : { why: `the leaf ${room} imports ${to}` };
  if (leaves.has(target)) return {};
  if (rooms[room]?.includes(target)) return { allowance: `${room} imports ${target}` };
  if (ports.has(to)) return { allowance: `the port ${to}` };
  if (target === to) return { why: `the room ${room} imports ${to}, which composes rooms` };
  return {
    why: rooms[room] === undefined ? `the room ${room} has no rule` : `the room ${room} imports the room ${target}`,
  };
}

/** The room that a file of a package lies in: one inside another where that has a rule; undefined for the top floor. */
function roomOf({ rooms }: House, file: string): string | undefined {
  const [first, second, third] = file.split("/");
  if (second === undefined) return undefined;
  const inner = `${first}/${second}`;
  const hasInner = Object.keys(rooms).some((room) => room.startsWith(`${first}/`));
  return hasInner && third !== undefined ? inner : first;
}

function pairs(rules: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(rules).flatMap(([from, all]) => all.map((to) => `${from} imports ${to}`));
}
