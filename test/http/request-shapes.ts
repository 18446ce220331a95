/** What the API's description says that a request may hold at most, and requests that go one beyond. */

import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";

type Json = unknown;
type Schema = Readonly<Record<string, Json>>;
type Path = readonly (string | number)[];

/** One maximum of a request's body: where it holds, and a body that is one beyond it. */
export interface Maximum {
  readonly field: string;
  readonly rule: "maxLength" | "maxItems" | "maxProperties" | "propertyNames" | "maximum";
  readonly beyond: Json;
}

/** The maxima of a shape, and the places that have none. */
export interface Maxima {
  readonly maxima: readonly Maximum[];
  readonly unbounded: readonly string[];
}

const isSchema = (value: Json): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);
const own = (schema: Schema, name: string): Schema => {
  const value = schema[name];
  return isSchema(value) ? value : {};
};

/** The schemas of all bodies, by method and path. */
export function bodySchemas(): (readonly [operation: string, schema: Schema])[] {
  return Object.entries(OPENAPI_DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!isSchema(operation) || !isSchema(operation.requestBody)) return [];
      const content = own(own(operation.requestBody, "content"), "application/json");
      return [[`${method.toUpperCase()} ${path}`, own(content, "schema")] as const];
    }),
  );
}

/** All maxima of a shape; each way through `anyOf` has its own. */
export function maximaOf(schema: Schema): Maxima {
  const maxima: Maximum[] = [];
  const unbounded = new Set<string>();
  for (const whole of variants(schema)) walk(whole, [], (value) => value, { maxima, unbounded });
  return { maxima, unbounded: [...unbounded] };
}

interface Found {
  readonly maxima: Maximum[];
  readonly unbounded: Set<string>;
}

/** Filters hold filters: such a schema is followed to this depth. */
const DEPTH_MAX = 6;

/** `within` puts a value at the place of this schema into a whole body. */
function walk(schema: Schema, path: Path, within: (value: Json) => Json, found: Found): void {
  const field = path.join(".");
  const add = (rule: Maximum["rule"], value: Json): void => {
    found.maxima.push({ field, rule, beyond: within(value) });
  };
  if ("const" in schema || "enum" in schema || path.length > DEPTH_MAX) return;
  const types = [schema.type].flat();
  if (types.includes("string")) {
    if (typeof schema.maxLength !== "number") found.unbounded.add(`${field} string`);
    else add("maxLength", longer(schema, schema.maxLength + 1));
  }
  if (types.includes("number") || types.includes("integer")) {
    if (typeof schema.maximum !== "number") found.unbounded.add(`${field} number`);
    else add("maximum", schema.maximum + 1);
  }
  if (types.includes("array")) walkArray(schema, path, within, found, add);
  if (types.includes("object")) walkObject(schema, path, within, found, add);
}

function walkArray(schema: Schema, path: Path, within: (value: Json) => Json, found: Found, add: Add): void {
  const items = own(schema, "items");
  if (typeof schema.maxItems !== "number") found.unbounded.add(`${path.join(".")} array`);
  else
    add(
      "maxItems",
      Array.from({ length: schema.maxItems + 1 }, () => sample(items)),
    );
  for (const item of variants(items)) walk(item, [...path, 0], (value) => within([value]), found);
}

function walkObject(schema: Schema, path: Path, within: (value: Json) => Json, found: Found, add: Add): void {
  const whole = sampleObject(schema);
  for (const [name, property] of Object.entries(own(schema, "properties"))) {
    if (!isSchema(property)) continue;
    for (const each of variants(property)) {
      walk(each, [...path, name], (value) => within({ ...whole, [name]: value }), found);
    }
  }
  const more = schema.additionalProperties;
  if (!isSchema(more)) return;
  const names = own(schema, "propertyNames").maxLength;
  if (typeof schema.maxProperties !== "number") found.unbounded.add(`${path.join(".")} object`);
  else
    add("maxProperties", Object.fromEntries(Array.from({ length: schema.maxProperties + 1 }, (_, i) => [`k${i}`, 1])));
  if (typeof names !== "number") found.unbounded.add(`${path.join(".")} names`);
  else add("propertyNames", { ["k".repeat(names + 1)]: 1 });
  for (const each of variants(more)) walk(each, [...path, "k"], (value) => within({ k: value }), found);
}

type Add = (rule: Maximum["rule"], value: Json) => void;

/** The schemas that a value may have, references followed; none of `null` alone. */
function variants(schema: Schema): Schema[] {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return variants(own(own(own(OPENAPI_DOCUMENT, "components"), "schemas"), name));
  }
  if (!Array.isArray(schema.anyOf)) return schema.type === "null" ? [] : [schema];
  return schema.anyOf.filter(isSchema).flatMap(variants);
}

/** What stands for any text. */
export const SAMPLE_TEXT = "text";

/** A value that is taken. An object below {@link DEPTH_MAX} is empty. */
function sample(schema: Schema, depth = 0): Json {
  const [one = { type: "null" }] = variants(schema);
  if ("const" in one) return one.const;
  if (Array.isArray(one.enum)) return one.enum[0];
  const [type] = [one.type].flat();
  if (type === "string") return one.format === "iri" ? "https://example.com/" : SAMPLE_TEXT;
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return false;
  if (type === "array") return [sample(own(one, "items"), depth + 1)];
  return type === "object" ? sampleObject(one, depth + 1) : null;
}

function sampleObject(schema: Schema, depth = 0): Readonly<Record<string, Json>> {
  const properties = depth > DEPTH_MAX ? [] : Object.entries(own(schema, "properties"));
  const sampled = properties.flatMap(([name, each]) => (isSchema(each) ? [[name, sample(each, depth)] as const] : []));
  return Object.fromEntries(sampled);
}

function longer(schema: Schema, length: number): string {
  return (schema.format === "iri" ? "https://example.com/" : "").padEnd(length, "x");
}
