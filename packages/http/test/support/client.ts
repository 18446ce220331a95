import { expect } from "vitest";
import { OPENAPI_DOCUMENT } from "../../src/openapi/document.ts";
import { splitTarget } from "../../src/request-target.ts";
import { matchRoute, pathSegments } from "../../src/router.ts";
import { ROUTES } from "../../src/routes/table.ts";
import { KEY } from "./fake-engine.ts";
import { faultsOf, isObject } from "./schema-check.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body of a JSON answer, else undefined. */
  readonly json: unknown;
}

export interface Call {
  /** The key to send; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
}

/** Sends one request and checks that the answer is one that the API's description allows. */
export async function call(url: string, method: string, target: string, { key = KEY, headers, body }: Call = {}) {
  const sent =
    body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(url + target, {
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: typeof sent === "string" ? sent : new Uint8Array(sent) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
  expectDescribed(method, target, answer);
  return answer;
}

/** The answer has a request id, and the status, content type and body that the description allows for the operation. */
export function expectDescribed(method: string, target: string, answer: Answer): void {
  expect(answer.headers.get("x-request-id")).toMatch(/^\S+$/);
  const operation = operationOf(method, target);
  if (operation === undefined) return;
  const responses = isObject(operation) && isObject(operation.responses) ? operation.responses : {};
  const described = responses[String(answer.status)];
  if (!isObject(described)) throw new Error(`${method} ${target}: ${answer.status} is not described: ${answer.text}`);
  if (described.content === undefined) {
    expect(answer.text).toBe("");
    return;
  }
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const content = isObject(described.content) ? described.content[type] : undefined;
  if (!isObject(content)) throw new Error(`${method} ${target}: ${answer.status} as ${type} is not described`);
  const value = type === "application/json" ? answer.json : answer.text;
  expect(faultsOf(value, content.schema, OPENAPI_DOCUMENT)).toEqual([]);
}

function operationOf(method: string, target: string): unknown {
  const route = matchRoute(ROUTES, pathSegments(splitTarget(target).path))?.route;
  if (route === undefined) return undefined;
  const paths: Readonly<Record<string, unknown>> = OPENAPI_DOCUMENT.paths;
  const item = paths[route.path.replace(/:(\w+)/g, "{$1}")];
  return isObject(item) ? item[method.toLowerCase()] : undefined;
}

/** What a 400 says of each broken rule: `field type`. */
export function rulesOf(answer: Answer): string[] {
  const { json } = answer;
  const data = isObject(json) ? json.data : undefined;
  const result = isObject(data) ? data.result : undefined;
  if (!Array.isArray(result)) throw new Error(`no list of violations in ${answer.text}`);
  return result.map((each) => `${each.field} ${each.type}`);
}

/** The `error.code` of a refusal. */
export function codeOf(answer: Answer): unknown {
  const { json } = answer;
  return isObject(json) && isObject(json.error) ? json.error.code : undefined;
}
