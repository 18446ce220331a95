import type { Reply } from "../reply.ts";
import { PATHS } from "./paths.ts";
import { SCHEMAS } from "./schemas.ts";

/** The API's description in OpenAPI 3.1. */
export const OPENAPI_DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: "Loredex",
    version: "1.0.0",
    description:
      "Search over all knowledge of a bot, and management of its articles. A key opens exactly one bot. Every answer carries an x-request-id.",
  },
  servers: [{ url: "/" }],
  security: [{ key: [] }, { bearer: [] }],
  paths: PATHS,
  components: {
    securitySchemes: {
      key: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        description: "Issued by the operator; opens exactly one bot, or its search alone.",
      },
      bearer: { type: "http", scheme: "bearer", description: "The same key, as Authorization: Bearer KEY." },
    },
    schemas: SCHEMAS,
  },
};

const text = JSON.stringify(OPENAPI_DOCUMENT);

/** `GET /openapi.json` */
export function describeApi(): Reply {
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, slices: [text] };
}
