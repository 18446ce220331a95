import { JSON_DEPTH_MAX, type JsonValue } from "@loredex/core";
import { parse, TomlDate, TomlError } from "smol-toml";

/** TOML that cannot be understood, with the line of it where it goes wrong, from 1. */
export class TomlProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** What a TOML text says, with dates and times as ISO strings. @throws TomlProblem */
export function readToml(toml: string): Record<string, unknown> {
  try {
    return parse(toml, { integersAsBigInt: "asNeeded", maxDepth: JSON_DEPTH_MAX });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The lines after the first show the place, which is told otherwise.
    const [message = ""] = error.message.split("\n");
    throw new TomlProblem(message.replace(/^Invalid TOML document: /, ""), error.line);
  }
}

/** A date of TOML as ISO writes it: an instant in UTC, and what has no zone or no time of day as it stands; undefined for any other value. */
export function tomlDate(value: unknown): JsonValue | undefined {
  if (!(value instanceof TomlDate)) return undefined;
  const isInstant = value.isDateTime() && !value.isLocal();
  if (!value.isDateTime()) return value.toISOString();
  // As a time of YAML without a zone: one in UTC.
  return new Date(isInstant ? value.getTime() : `${value.toISOString()}Z`).toISOString();
}
