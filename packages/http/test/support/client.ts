import { expect } from "vitest";
import { faultsOf } from "./described.ts";
import { KEY } from "./fake-engine.ts";
import { isObject } from "./is-object.ts";

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
    redirect: "manual",
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
  expect(faultsOf(method, target, answer)).toEqual([]);
  return answer;
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
