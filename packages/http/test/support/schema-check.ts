/** The part of JSON Schema that the API's description uses. Throws on any keyword that it does not know, so that none is passed over. */

type Schema = Readonly<Record<string, unknown>>;

const KNOWN = new Set(
  "$ref type const enum anyOf required properties additionalProperties propertyNames maxProperties items minItems maxItems minLength maxLength pattern minimum maximum format default description".split(
    " ",
  ),
);

/** Every way in which the value breaks the schema; empty if it does not. */
export function faultsOf(value: unknown, schema: unknown, root: unknown, at = "$"): string[] {
  if (!isObject(schema)) throw new Error(`no schema at ${at}`);
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) throw new Error(`schema keyword ${keyword} at ${at} is not checked`);
  }
  const { $ref, anyOf } = schema;
  if (typeof $ref === "string") return faultsOf(value, resolve($ref, root), root, at);
  const faults: string[] = [];
  const must = (holds: boolean, rule: string) => {
    if (!holds) faults.push(`${at}: ${rule}`);
  };
  if (Array.isArray(anyOf))
    must(
      anyOf.some((each) => faultsOf(value, each, root, at).length === 0),
      "anyOf",
    );
  if ("const" in schema) must(value === schema.const, `const ${String(schema.const)}`);
  if (Array.isArray(schema.enum)) must(schema.enum.includes(value), "enum");
  if (schema.type !== undefined)
    must(
      [schema.type].flat().some((type) => hasType(value, type)),
      `type ${schema.type}`,
    );
  if (typeof value === "number") {
    must(value >= numberOr(schema.minimum, -Infinity), "minimum");
    must(value <= numberOr(schema.maximum, Infinity), "maximum");
  }
  if (typeof value === "string") {
    must([...value].length >= numberOr(schema.minLength, 0), "minLength");
    must([...value].length <= numberOr(schema.maxLength, Infinity), "maxLength");
    if (typeof schema.pattern === "string") must(new RegExp(schema.pattern, "u").test(value), "pattern");
  }
  if (Array.isArray(value)) {
    must(value.length >= numberOr(schema.minItems, 0), "minItems");
    must(value.length <= numberOr(schema.maxItems, Infinity), "maxItems");
    if (schema.items !== undefined) {
      for (const [index, item] of value.entries())
        faults.push(...faultsOf(item, schema.items, root, `${at}[${index}]`));
    }
  }
  if (isObject(value)) faults.push(...objectFaults(value, schema, root, at));
  return faults;
}

function objectFaults(value: Schema, schema: Schema, root: unknown, at: string): string[] {
  const faults: string[] = [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(value, name)) faults.push(`${at}: required ${name}`);
  }
  if (Object.keys(value).length > numberOr(schema.maxProperties, Infinity)) faults.push(`${at}: maxProperties`);
  for (const [name, inner] of Object.entries(value)) {
    if (isObject(schema.propertyNames))
      faults.push(...faultsOf(name, schema.propertyNames, root, `${at} name ${name}`));
    if (Object.hasOwn(properties, name)) faults.push(...faultsOf(inner, properties[name], root, `${at}.${name}`));
    else if (schema.additionalProperties === false) faults.push(`${at}: unknown ${name}`);
    else if (isObject(schema.additionalProperties)) {
      faults.push(...faultsOf(inner, schema.additionalProperties, root, `${at}.${name}`));
    }
  }
  return faults;
}

function resolve(reference: string, root: unknown): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce((node: unknown, name) => (isObject(node) ? node[name] : undefined), root);
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
