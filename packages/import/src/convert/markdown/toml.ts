import { JSON_DEPTH_MAX, type JsonValue } from "@loredex/core";
import { parse, TomlDate, TomlError } from "smol-toml";

/** Invalid TOML. It has the line of the problem, from 1. */
export class TomlProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Parses a TOML text; dates and times become ISO strings. @throws TomlProblem */
export function readToml(toml: string): Record<string, unknown> {
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
export function tomlDate(value: unknown): JsonValue | undefined {
  if (!(value instanceof TomlDate)) return undefined;
  const isInstant = value.isDateTime() && !value.isLocal();
  if (!value.isDateTime()) return value.toISOString();
  // Read like a YAML time without a zone: as UTC.
  return new Date(isInstant ? value.getTime() : `${value.toISOString()}Z`).toISOString();
}
