import type { Reply } from "../reply.ts";
import { ADMIN_PATHS } from "./admin-paths.ts";
import { ADMIN_ANSWERS, ADMIN_SCHEMAS } from "./admin-schemas.ts";
import { REFUSAL_RESPONSES, REFUSAL_SCHEMAS } from "./failures.ts";
import { HEADERS } from "./headers.ts";
import { PATHS } from "./paths.ts";
import { SCHEMAS } from "./schemas.ts";

/** The API's description in OpenAPI 3.1. */
export const OPENAPI_DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: "Loredex HTTP API",
    version: "1.0.0",
    summary: "Search over all knowledge of a bot, and management of its articles.",
    description:
      "A key opens exactly one bot, and all that a request reads or writes belongs to that bot. HEAD works wherever GET does; OPTIONS lists a path's methods in Allow and needs no key; any other method is answered with 405 (code 20003) and Allow, and a path that there is not with 404 (code 20002). / and /docs/ lead to the page at /docs. Codes stay the same in all versions; messages are for people and may change.",
    contact: { name: "The operator of this server" },
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  tags: [
    { name: "Search", description: "What a bot knows." },
    { name: "Articles", description: "What the owner of a bot writes." },
    { name: "Server", description: "What the server says of itself, without a key." },
    {
      name: "Admin",
      description:
        "What an operator does. It needs an admin key, which opens nothing else, or the session that it was exchanged for, and a server with --console: elsewhere each path is a 404. Every change is kept in the audit log, without content.",
    },
  ],
  servers: [{ url: "/" }],
  security: [{ key: [] }, { bearer: [] }],
  paths: { ...PATHS, ...ADMIN_PATHS },
  components: {
    securitySchemes: {
      key: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        description: "Issued by the operator; opens exactly one bot, or its search alone.",
      },
      session: {
        ...{ type: "apiKey", in: "cookie", name: "loredex_session" },
        description: "Of a signed-in browser. A change also needs the header x-csrf-token, and an Origin of this host.",
      },
      bearer: { type: "http", scheme: "bearer", description: "The same key, as Authorization: Bearer KEY." },
    },
    headers: HEADERS,
    responses: REFUSAL_RESPONSES,
    schemas: { ...SCHEMAS, ...ADMIN_SCHEMAS, ...ADMIN_ANSWERS, ...REFUSAL_SCHEMAS },
  },
};

const text = JSON.stringify(OPENAPI_DOCUMENT);

/** `GET /openapi.json`, also under `/api/v1` */
export function describeApi(): Reply {
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, slices: [text] };
}
