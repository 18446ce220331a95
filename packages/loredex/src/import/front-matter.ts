import type { JsonObject, JsonValue } from "@loredex/core";
import { LineCounter, parseDocument } from "yaml";

/** A markdown file without its front matter. */
export interface MarkdownSource {
  readonly metaData: JsonObject;
  readonly body: string;
  /** The file's line that is line 1 of the body. */
  readonly firstLine: number;
}

/** Front matter that is no YAML object, with the file's line where it goes wrong. */
export class FrontMatterError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** @throws FrontMatterError */
export function splitFrontMatter(text: string): MarkdownSource {
  const match = FRONT_MATTER.exec(text);
  if (match === null) return { metaData: {}, body: text, firstLine: 1 };
  const body = text.slice(match[0].length);
  const firstLine = match[0].split("\n").length;
  return { metaData: readYaml(match[1] ?? ""), body, firstLine };
}

function readYaml(source: string): JsonObject {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new FrontMatterError(`the front matter is no valid YAML: ${error.message}`, line + 1);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (value === null || value === undefined) return {};
  const json = toJson(value);
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new FrontMatterError("the front matter must be a list of keys with values", 2);
  }
  return json as JsonObject;
}

/** YAML knows values that JSON does not: dates become ISO strings, what has no JSON form becomes text. */
function toJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object") return String(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), toJson(item)]));
}
