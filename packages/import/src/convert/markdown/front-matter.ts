import { JSON_DEPTH_MAX, type JsonObject, type JsonValue } from "@loredex/core";
import { parse, TomlDate, TomlError } from "smol-toml";
import { type Document, isScalar, LineCounter, parseDocument, type ScalarTag, type Tags, visit } from "yaml";
import { ConversionError } from "../conversion.ts";
import { tooDeepLine } from "./yaml-nesting.ts";

/** A markdown file without its front matter. */
export interface MarkdownSource {
  readonly metaData: JsonObject;
  readonly body: string;
  /** The line of the file that is line 1 of the body. */
  readonly firstLine: number;
}

/** Invalid front matter. It has the file's line of the problem. */
export class FrontMatterError extends ConversionError {
  override readonly name = "FrontMatterError";

  constructor(
    message: string,
    override readonly line: number,
  ) {
    super(message, line);
  }
}

const YAML_FENCE = /^---[ \t]*\r?\n?$/;
const TOML_FENCE = /^\+\+\+[ \t]*\r?\n?$/;
/** Aliases multiply: this number occurs in files, a larger one is an attack. */
const ALIASES_MAX = 100;

/**
 * Splits front matter off the beginning of a file: YAML between two lines of `---`, or TOML between two of `+++`. Text there that is no YAML, as between two
 * thematic breaks, stays in the body.
 * @throws FrontMatterError
 */
export function splitFrontMatter(text: string): MarkdownSource {
  const whole = { metaData: {}, body: text, firstLine: 1 };
  const opening = lineAt(text, 0);
  const isToml = TOML_FENCE.test(opening);
  const fence = isToml ? TOML_FENCE : YAML_FENCE;
  if (!fence.test(opening) || !opening.endsWith("\n")) return whole;
  let lines = 1;
  for (let at = opening.length; at < text.length; ) {
    const line = lineAt(text, at);
    lines += 1;
    if (fence.test(line)) {
      const matter = text.slice(opening.length, at);
      const metaData = matter.trim() === "" ? {} : isToml ? readTomlFields(matter) : readYaml(matter);
      return metaData === undefined ? whole : { metaData, body: text.slice(at + line.length), firstLine: lines + 1 };
    }
    at += line.length;
  }
  return whole;
}

/** Returns the line that begins at this position, with its line break. */
function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(at, end < 0 ? text.length : end + 1);
}

function readTomlFields(toml: string): JsonObject {
  try {
    const fields = toJson(readToml(toml), 0);
    return isObject(fields) ? fields : {};
  } catch (error) {
    // The opening fence is one line before the text's first.
    if (error instanceof TomlProblem) {
      throw new FrontMatterError(`the front matter is no valid TOML: ${error.message}`, error.line + 1);
    }
    throw error;
  }
}

/** Undefined for text that is not meant as YAML: a plain sentence, or a heading, which YAML reads as a comment. */
function readYaml(yaml: string): JsonObject | undefined {
  const deep = tooDeepLine(yaml);
  if (deep !== undefined) {
    throw new FrontMatterError(`the front matter is more than ${JSON_DEPTH_MAX} levels deep`, deep + 1);
  }
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    intAsBigInt: true,
    customTags,
    // The library compares each key with all before it.
    uniqueKeys: false,
  });
  const again = repeatedKey(document);
  if (again !== undefined) {
    const line = lines.linePos(again).line + 1;
    throw new FrontMatterError("the front matter is no valid YAML: Map keys must be unique", line);
  }
  const [error] = document.errors;
  if (error !== undefined) {
    // The opening fence is one line before the YAML's first.
    const line = lines.linePos(error.pos[0]).line + 1;
    throw new FrontMatterError(`the front matter is no valid YAML: ${error.message}`, line);
  }
  const value = toJson(plain(document), 0);
  if (isObject(value)) return value;
  if (value === null || typeof value === "string") return undefined;
  throw new FrontMatterError('the front matter must be keys with values, as in "title: Opening hours"', 2);
}

/** Returns the position of the first key that occurs twice in its map. */
export function repeatedKey(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plain(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (cause) {
    throw new FrontMatterError(`the front matter cannot be read: ${cause instanceof Error ? cause.message : cause}`, 2);
  }
}

/** Converts values that YAML and TOML have and JSON lacks to text. */
function toJson(value: unknown, depth: number): JsonValue {
  if (depth > JSON_DEPTH_MAX)
    throw new FrontMatterError(`the front matter is more than ${JSON_DEPTH_MAX} levels deep`, 2);
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  const date = tomlDate(value);
  if (date !== undefined) return date;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value !== "object") return String(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), toJson(item, depth + 1)]));
}

const TIME =
  /^(\d{4}-)(\d{1,2})-(\d{1,2})(?:[Tt]|[ \t]+)(\d{1,2})(:\d{2}:\d{2}(?:\.\d+)?)[ \t]*(?:Z|([-+])(\d{1,2})(?::?(\d{2}))?)?$/;

/** Converts a YAML date with a time to an ISO string in UTC. A date alone is one already, and stays as it is. */
const isoTime: ScalarTag = { tag: "tag:yaml.org,2002:timestamp", default: true, test: TIME, resolve: isoOf };

function customTags(tags: Tags): Tags {
  return [isoTime, ...tags];
}

/** Returns the same instant in UTC; other values stay as they are. A time without a zone is UTC, as in YAML. */
function isoOf(text: string): string {
  const match = TIME.exec(text);
  if (match === null) return text;
  const [, year, month = "", day = "", hour = "", rest, sign, zoneHour = "", zoneMinute = "00"] = match;
  const zone = sign === undefined ? "Z" : `${sign}${zoneHour.padStart(2, "0")}:${zoneMinute}`;
  const [twoMonth, twoDay, twoHour] = [month, day, hour].map((digits) => digits.padStart(2, "0"));
  const date = new Date(`${year}${twoMonth}-${twoDay}T${twoHour}${rest}${zone}`);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** Invalid TOML. It has the line of the problem, from 1. */
class TomlProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Parses a TOML text; dates and times become ISO strings. @throws TomlProblem */
function readToml(toml: string): Record<string, unknown> {
  try {
    return parse(toml, { integersAsBigInt: "asNeeded", maxDepth: JSON_DEPTH_MAX });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The message's other lines show the place, which is reported separately.
    const [message = ""] = error.message.split("\n");
    throw new TomlProblem(message.replace(/^Invalid TOML document: /, ""), error.line);
  }
}

/** Converts a TOML date to ISO: an instant in UTC. A value without a zone or a time of day stays as it is; undefined for any other value. */
function tomlDate(value: unknown): JsonValue | undefined {
  if (!(value instanceof TomlDate)) return undefined;
  const isInstant = value.isDateTime() && !value.isLocal();
  if (!value.isDateTime()) return value.toISOString();
  // Read like a YAML time without a zone: as UTC.
  return new Date(isInstant ? value.getTime() : `${value.toISOString()}Z`).toISOString();
}
