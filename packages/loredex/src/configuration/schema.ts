import { helpOf, keyOf, type Option, type Options, settable } from "./option.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the file of settings, for editors. */
export function configSchema(options: Options): Schema {
  const properties = settable(options, "file").flatMap((name) => {
    const option = options[name];
    return option === undefined ? [] : [[keyOf(name), schemaOf(option)] as const];
  });
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of loredex",
    type: "object",
    additionalProperties: false,
    properties: { $schema: { type: "string" }, ...Object.fromEntries(properties) },
  };
}

function schemaOf(option: Option): Schema {
  const standard = option.default === undefined ? "" : ` (default ${option.default})`;
  return { description: `${helpOf(option).replaceAll("\n", " ")}${standard}`, ...valueOfKind(option) };
}

function valueOfKind(option: Option): Schema {
  switch (option.kind) {
    case "switch":
      return { type: "boolean" };
    case "choice":
      return option.choiceOf === undefined ? { enum: option.choices } : { type: "string", examples: option.choices };
    case "list":
      return { type: "array", items: { enum: option.choices } };
    case "duration":
      return {
        type: ["number", "string"],
        ...(option.min === 0 ? { minimum: 0 } : { exclusiveMinimum: 0 }),
        pattern: "^[0-9]{1,7}(\\.[0-9]{1,3})?(ms|s|m|h|d)?$",
      };
    case "bytes":
      return {
        type: ["integer", "string"],
        ...(option.orNone === true ? { anyOf: [{ const: 0 }, { minimum: option.min }] } : { minimum: option.min }),
        ...(option.max === undefined ? {} : { maximum: option.max }),
        pattern: bytesPattern(option.words),
      };
    case "count":
    case "number": {
      const { min = 0, max } = option;
      return {
        type: option.kind === "count" ? "integer" : "number",
        minimum: min,
        ...(max === undefined ? {} : { maximum: max }),
      };
    }
    default:
      return { type: "string", ...(option.kind === "path" ? { minLength: 1 } : {}) };
  }
}

function bytesPattern(words: readonly string[] = []): string {
  const size = "[0-9]{1,12}[kKmMgG]?[bB]?";
  return words.length === 0 ? `^${size}$` : `^(${[...words, size].join("|")})$`;
}
