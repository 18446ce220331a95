import { NAME_CHARACTERS_MAX } from "../limits.ts";
import type { BotSettings } from "../types.ts";
import { own, Violations } from "../validation.ts";

const FIELDS = new Set(["name", "quotaCharacters", "rateCharactersPerMinute", "language"]);

/** Ids are told from names by their form. */
const ID = /^[0-9a-f]{24}$/;

/**
 * Reads settings of a bot: those given over those that are there.
 * @throws ValidationError naming every broken rule
 */
export function parseSettings(input: unknown, known: BotSettings, languages: readonly string[]): BotSettings {
  const violations = new Violations();
  const fields = violations.object("settings", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FIELDS);
  const given = (field: string): unknown => own(fields, field);
  const name = violations.string("name", given("name") ?? known.name, { min: 1, max: NAME_CHARACTERS_MAX });
  if (name !== undefined && (ID.test(name) || name.trim() !== name)) {
    violations.add("name", "name", "name must not look like an id (24 hex digits), nor begin or end with white space");
  }
  const quotaCharacters = count("quotaCharacters", given("quotaCharacters") ?? known.quotaCharacters, violations);
  const rate = given("rateCharactersPerMinute") ?? known.rateCharactersPerMinute;
  const rateCharactersPerMinute = count("rateCharactersPerMinute", rate, violations);
  const language = given("language") ?? known.language;
  if (typeof language !== "string" || !languages.includes(language)) {
    violations.add("language", "enum", `language must be one of ${languages.join(", ")}`);
  }
  violations.throwIfAny();
  return { name: name ?? "", quotaCharacters, rateCharactersPerMinute, language: String(language) };
}

function count(field: string, value: unknown, violations: Violations): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  violations.add(field, "integer", `${field} must be a whole number of characters, 0 or more`);
  return 0;
}
