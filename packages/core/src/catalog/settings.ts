import { NAME_CHARACTERS_MAX } from "../limits.ts";
import type { BotSettings } from "../types.ts";
import { own, Violations } from "../validation.ts";

const FIELDS = new Set(["name", "quotaCharacters", "rateCharactersPerMinute", "language", "embedder"]);

/** Ids are told from names by their form. */
const ID = /^[0-9a-f]{24}$/;

/** What a setting may be chosen from. */
export interface SettingsChoices {
  readonly languages: readonly string[];
  readonly embedders: readonly string[];
  /** What a new bot of this language gets if nothing else is said. */
  embedderFor(language: string): string;
}

/** The settings that are there; a new bot's embedder follows its language. */
type KnownSettings = Omit<BotSettings, "embedder"> & Partial<BotSettings>;

/**
 * Reads settings of a bot: those given over those that are there.
 * @throws ValidationError naming every broken rule
 */
export function parseSettings(input: unknown, known: KnownSettings, choices: SettingsChoices): BotSettings {
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
  const language = oneOf("language", given("language") ?? known.language, choices.languages, violations);
  // One that was chosen where more embedders are known stays: the bot is found by words meanwhile.
  const kept = known.embedder ?? choices.embedderFor(language);
  const embedder = oneOf("embedder", given("embedder") ?? kept, [...choices.embedders, kept], violations);
  violations.throwIfAny();
  return { name: name ?? "", quotaCharacters, rateCharactersPerMinute, language, embedder };
}

function oneOf(field: string, value: unknown, choices: readonly string[], violations: Violations): string {
  if (typeof value === "string" && choices.includes(value)) return value;
  violations.add(field, "enum", `${field} must be one of ${[...new Set(choices)].join(", ")}`);
  return "";
}

function count(field: string, value: unknown, violations: Violations): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  violations.add(field, "integer", `${field} must be a whole number of characters, 0 or more`);
  return 0;
}
