import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { count } from "../../../../test/support/counts.ts";
import { OPENAPI_DOCUMENT } from "../../src/openapi/document.ts";
import { splitTarget } from "../../src/request-target.ts";
import { matchRoute, pathSegments } from "../../src/router.ts";
import { isObject } from "./is-object.ts";

/** Whether answers are those that the API's description allows: the check that every client of the tests makes. */

/** What came back over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One way in which an operation can answer, as `POST /api/v1/knowledge 503 50002`. */
export type Way = string;

const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }));
ajv.addFormat("iri", URL.canParse);
/** For headers, which come as text. */
const fromText = addFormats.default(new Ajv2020({ strict: true, coerceTypes: true }));
// Around its schemas the document is none: the words of that say nothing of values.
for (const each of [ajv, fromText])
  each.addVocabulary(Object.keys(OPENAPI_DOCUMENT)).addSchema(OPENAPI_DOCUMENT, "api");

const PATHS: Readonly<Record<string, unknown>> = OPENAPI_DOCUMENT.paths;
const ROUTES = Object.keys(PATHS).map((path) => ({ path, pattern: path.replace(/\{(\w+)\}/g, ":$1") }));
/** Literal paths before those with parameters. */
const BY_LITERAL = ROUTES.toSorted((one, other) => one.pattern.split(":").length - other.pattern.split(":").length).map(
  ({ path, pattern }) => ({ describedAs: path, path: pattern }),
);

const METHODS: ReadonlySet<string> = new Set(["get", "post", "put", "delete"]);

/** What every answer says to browsers, however it came about. A page says by itself what it may load, and stands in no frame either. */
const SECURITY: Readonly<Record<string, RegExp>> = {
  "cache-control": /^no-store$/,
  "content-security-policy": /^default-src '(none|self)'.*; frame-ancestors 'none'/,
  "cross-origin-resource-policy": /^same-origin$/,
  "referrer-policy": /^no-referrer$/,
  "x-content-type-options": /^nosniff$/,
};

/** Every way to answer that the description has. */
export function describedWays(): Way[] {
  return Object.entries(PATHS).flatMap(([path, item]) =>
    entries(item)
      .filter(([method]) => METHODS.has(method))
      .flatMap(([method, operation]) =>
        entries(field(operation, "responses")).flatMap(([status, response]) =>
          waysOf(`${method.toUpperCase()} ${path} ${status}`, resolved(response)),
        ),
      ),
  );
}

/** One for each code, or for each text; one alone where there are no examples. */
function waysOf(start: string, response: unknown): Way[] {
  const ways = entries(field(response, "content")).flatMap(([type, content]) =>
    entries(field(content, "examples")).map(([name, example]) => {
      const value = field(example, "value");
      if (type !== "application/json") return `${start} ${name}`;
      return `${start} ${codeOf(value)}`;
    }),
  );
  return ways.length === 0 || Number(start.split(" ").at(-1)) < 400 ? [start] : [...new Set(ways)];
}

/** Which of them this answer is. Undefined where no operation was asked for. */
export function wayOf(method: string, target: string, answer: WireAnswer): Way | undefined {
  const path = pathOf(target);
  if (path === undefined || !isObject(field(PATHS[path], method.toLowerCase()))) return undefined;
  const start = `${method} ${path} ${answer.status}`;
  if (answer.status < 400) return start;
  if (isJson(answer)) return `${start} ${codeOf(JSON.parse(answer.text))}`;
  return `${start} ${answer.headers.has("retry-after") ? "wait" : "never"}`;
}

/** In what a request with a body of JSON is not one that the description allows; empty if it is one. */
export function requestFaultsOf(method: string, target: string, body: unknown): string[] {
  const path = pathOf(target);
  const operation = path === undefined ? undefined : field(PATHS[path], method.toLowerCase());
  if (path === undefined || operation === undefined) return [`${method} ${target} is not described`];
  const at = placeOf(field(operation, "requestBody")) ?? pointer("paths", path, method.toLowerCase(), "requestBody");
  return [...schemaFaults(`${at}/${pointer("content", "application/json", "schema")}`, body)];
}

/** In what the answer is not one that the description allows; empty if it is one. */
export function faultsOf(method: string, target: string, answer: WireAnswer): string[] {
  count("answers held against the OpenAPI document");
  const faults = [...bodyAndHeaders(method, target, answer)];
  return faults.map((fault) => `${method} ${target.slice(0, 200)}: ${fault}; it was ${answer.text.slice(0, 500)}`);
}

function* bodyAndHeaders(method: string, target: string, answer: WireAnswer): Generator<string> {
  if (!/^\S+$/.test(answer.headers.get("x-request-id") ?? "")) yield "x-request-id is missing";
  for (const [name, held] of Object.entries(SECURITY)) {
    if (!held.test(answer.headers.get(name) ?? "")) yield `${name} is ${answer.headers.get(name)}`;
  }
  const path = pathOf(target);
  const asked = method === "HEAD" ? "get" : method.toLowerCase();
  if (path === undefined || field(PATHS[path], asked) === undefined) {
    yield* besideOperations(method, answer);
    return;
  }
  const given = field(field(field(PATHS[path], asked), "responses"), String(answer.status));
  const response = resolved(given);
  if (response === undefined) {
    yield `${answer.status} is not described`;
    return;
  }
  const at = placeOf(given) ?? pointer("paths", path, asked, "responses", String(answer.status));
  for (const [name, header] of entries(field(response, "headers"))) yield* headerFaults(name, header, answer);
  if (method === "HEAD" || field(response, "content") === undefined) {
    if (answer.text !== "") yield "there must be no body";
    return;
  }
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  if (field(field(response, "content"), type) === undefined) yield `${answer.status} as ${type} is not described`;
  else yield* schemaFaults(`${at}/${pointer("content", type, "schema")}`, bodyOf(answer));
}

/** What is no operation is refused, but for OPTIONS and what leads to an operation. */
function* besideOperations(method: string, answer: WireAnswer): Generator<string> {
  if (method === "OPTIONS" && answer.status === 204) {
    if (!answer.headers.has("allow") || answer.text !== "") yield "204 must have Allow, and no body";
    return;
  }
  if (answer.status === 302) {
    if (!answer.headers.has("location") || answer.text !== "") yield "302 must have Location, and no body";
    return;
  }
  if (answer.status < 400) yield `${answer.status} is not described`;
  if (answer.status === 405 && !answer.headers.has("allow")) yield "405 must have Allow";
  if (method === "HEAD") return;
  const schema = answer.status === 400 ? "InvalidInput" : "Failure";
  yield* schemaFaults(pointer("components", "schemas", schema), bodyOf(answer));
}

function* headerFaults(name: string, header: unknown, answer: WireAnswer): Generator<string> {
  const value = answer.headers.get(name);
  const at = String(placeOf(header));
  const described = resolved(header);
  if (value === null) {
    if (field(described, "required") === true) yield `the header ${name} is missing`;
    return;
  }
  const validate = compiled(fromText, `${at}/schema`);
  // What is coerced is written back to where it stands.
  const holder = { value };
  if (
    !validate(holder.value, {
      instancePath: "",
      parentData: holder,
      parentDataProperty: "value",
      rootData: holder,
      dynamicAnchors: {},
    })
  )
    yield `the header ${name} is ${value}`;
}

function* schemaFaults(at: string, value: unknown): Generator<string> {
  const validate = compiled(ajv, at);
  if (validate(value)) return;
  for (const { instancePath, message } of validate.errors ?? []) yield `${instancePath || "the body"} ${message}`;
}

function compiled(by: Ajv2020, at: string): ValidateFunction {
  const validate = by.getSchema(`api#/${at}`);
  if (validate === undefined) throw new Error(`the description has nothing at ${at}`);
  return validate;
}

function bodyOf(answer: WireAnswer): unknown {
  return isJson(answer) ? JSON.parse(answer.text) : answer.text;
}

function isJson({ headers, text }: WireAnswer): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true && text !== "";
}

function codeOf(body: unknown): string {
  return String(field(body, "code") ?? field(field(body, "error"), "code") ?? field(body, "error_code"));
}

/** The path of the description that a request goes to. */
function pathOf(target: string): string | undefined {
  return matchRoute(BY_LITERAL, pathSegments(splitTarget(target).path))?.route.describedAs;
}

function pointer(...names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
}

/** Where in the document a reference leads, as `components/headers/ETag`; undefined for what is no reference. */
function placeOf(node: unknown): string | undefined {
  const reference = field(node, "$ref");
  return typeof reference === "string" ? reference.replace("#/", "") : undefined;
}

/** What a reference of the description leads to; another node is itself. */
export function resolved(node: unknown): unknown {
  return placeOf(node)?.split("/").reduce<unknown>(field, OPENAPI_DOCUMENT) ?? node;
}

function field(node: unknown, name: string): unknown {
  return isObject(node) ? node[name] : undefined;
}

function entries(node: unknown): [string, unknown][] {
  return isObject(node) ? Object.entries(node) : [];
}
