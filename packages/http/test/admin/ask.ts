import { ADMIN_OPERATIONS } from "../../src/admin/table.ts";
import { type Answer, type Call, call } from "../support/client.ts";
import { WRITE_KEY } from "../support/fake-admin.ts";
import { ARTICLE_ID, BOT_NAME } from "../support/fake-engine.ts";

/** A request for one operation of the admin API. */
export interface AdminCase {
  readonly method: string;
  /** The path's pattern. */
  readonly path: string;
  readonly target: string;
  readonly body: object | undefined;
}

const VALUES: Readonly<Record<string, string>> = { bot: BOT_NAME, name: "one", source: "docs", id: "1" };
const BODIES: Readonly<Record<string, object>> = {
  "POST /session": { key: "lore_admin_write" },
  "POST /bots": { name: "new" },
  "PUT /bots/:bot": { quality: "fast" },
  "POST /bots/:bot/keys": { name: "two" },
  "PUT /bots/:bot/agents/:name": { active: true },
  "PUT /bots/:bot/channels/:name": { active: true },
  "PUT /bots/:bot/documents/:id/status": { status: "inactive" },
  "POST /bots/:bot/search": { query: "refunds" },
  "POST /bots/:bot/query": { query: "refunds" },
  "POST /bots/:bot/suggest": { prefix: "ref" },
  "POST /bots/:bot/explain": { query: "refunds", id: "1" },
  "PUT /bots/:bot/vocabulary": { synonyms: [], pins: [], ignored: [] },
  "POST /bots/:bot/imports": { addresses: ["https://example.com"] },
  "PUT /bots/:bot/golden": { questions: [] },
};

/** The body that an operation needs. */
function bodyOf(method: string, path: string): object | undefined {
  if (method === "GET" || method === "DELETE") return undefined;
  return BODIES[`${method} ${path.slice("/api/v1/admin".length)}`] ?? { title: "abc", body: "x" };
}

/** A request for each operation of the table: a new one is tried without being named here. */
export const EVERY_OPERATION: readonly AdminCase[] = ADMIN_OPERATIONS.map(({ method, path }) => {
  const values =
    path.includes("/articles/:id") || path.endsWith("/documents/:id") ? { ...VALUES, id: ARTICLE_ID } : VALUES;
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "");
  const query = path.endsWith("/uploads") ? "?name=a.md" : "";
  const isEmpty = /\/(rotate|sync|uploads|restore)$/.test(path);
  const body = path.endsWith("/runs") && method === "POST" ? {} : bodyOf(method, path);
  return { method, path, target: filled + query, body: isEmpty ? undefined : body };
});

/** Sends one of them, by default with an admin key that may do all, and checks the answer against the description. */
export function ask(url: string, asked: AdminCase, { key = WRITE_KEY, ...more }: Call = {}): Promise<Answer> {
  const bytes = asked.path.endsWith("/uploads") || asked.path.endsWith("/restore");
  const body = bytes ? "some bytes" : asked.body;
  return call(url, asked.method, asked.target, { key, ...(body === undefined ? {} : { body }), ...more });
}

/** The operations that change something. */
export const CHANGES = EVERY_OPERATION.filter(
  ({ method, path }) =>
    method !== "GET" && !path.endsWith("/session") && !/\/(search|query|suggest|explain|preview)$/.test(path),
);
