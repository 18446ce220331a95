import { LANGUAGES, languageOf, tagOf } from "../domain/language-tags.ts";
import { NAME_CHARACTERS_MAX } from "../domain/limits.ts";
import {
  LANGUAGE_DEFAULT,
  QUALITIES,
  QUALITY_DEFAULT,
  QUOTA_CHARACTERS_DEFAULT,
  RATE_CHARACTERS_PER_MINUTE_DEFAULT,
} from "../domain/options.ts";
import type { StoredSettings } from "../domain/records.ts";
import type { BotSettings } from "../domain/types.ts";
import { isCount, own, Violations } from "../domain/validation.ts";

const FIELDS = new Set([
  "name",
  "quotaCharacters",
  "rateCharactersPerMinute",
  "quotaBytes",
  "rateBytesPerMinute",
  "importBytes",
  "language",
  "embedder",
  "quality",
]);

/** Ids are told from names by their form. */
const ID = /^[0-9a-f]{24}$/;

/** What a setting may be chosen from. */
export interface SettingsChoices {
  readonly embedders: readonly string[];
  /** The least number of bytes that may be chosen. 0 may be as well, and what is there already. */
  readonly bytesMin: number;
  /** What a bot of this language gets if nothing else is said. */
  embedderFor(language: string): string;
}

/** The settings that are there; a new bot's embedder follows its language. */
type KnownSettings = Omit<BotSettings, Later> & Partial<BotSettings>;

/** Settings that came later: an earlier version stored none. */
type Later = "embedder" | "quality" | "quotaBytes" | "rateBytesPerMinute" | "importBytes";

/** What a new bot is given where nothing is said; its name has to be. */
export const NEW_BOT: KnownSettings = {
  name: "",
  quotaCharacters: QUOTA_CHARACTERS_DEFAULT,
  rateCharactersPerMinute: RATE_CHARACTERS_PER_MINUTE_DEFAULT,
  quotaBytes: "auto",
  rateBytesPerMinute: "auto",
  language: LANGUAGE_DEFAULT,
};

/** What nobody sees in a name, or what changes how the rest of a line is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Reads settings of a bot: those given over those that are there.
 * @throws ValidationError naming every broken rule
 */
export function parseSettings(input: unknown, known: KnownSettings, choices: SettingsChoices): StoredSettings {
  const violations = new Violations();
  const fields = violations.object("settings", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FIELDS);
  const given = (field: string, before: unknown): unknown => {
    const value = own(fields, field);
    return value === undefined ? before : value;
  };
  const name = violations.string("name", given("name", known.name), { min: 1, max: NAME_CHARACTERS_MAX });
  if (name !== undefined && (ID.test(name) || name.trim() !== name)) {
    violations.add("name", "name", "name must not look like an id (24 hex digits), nor begin or end with white space");
  }
  if (name !== undefined && name !== known.name && INVISIBLE.test(name)) {
    violations.add("name", "name", "name must have no control, formatting or other invisible characters");
  }
  const quotaCharacters = count("quotaCharacters", given("quotaCharacters", known.quotaCharacters), violations);
  const rate = given("rateCharactersPerMinute", known.rateCharactersPerMinute);
  const rateCharactersPerMinute = count("rateCharactersPerMinute", rate, violations);
  const least = { known, min: choices.bytesMin, violations };
  const quotaBytes = bytes("quotaBytes", given("quotaBytes", known.quotaBytes), "auto", least);
  const rateBytes = given("rateBytesPerMinute", known.rateBytesPerMinute ?? "auto");
  const rateBytesPerMinute = bytes("rateBytesPerMinute", rateBytes, "auto", least) ?? "auto";
  const importBytes = bytes("importBytes", given("importBytes", known.importBytes), "none", { ...least, min: 0 });
  const language = languageTag(given("language", known.language), violations);
  const kept = embedderOf(known, language ?? "", choices);
  const embedder = violations.oneOf("embedder", given("embedder", kept), [...new Set([...choices.embedders, kept])]);
  const quality = violations.oneOf("quality", given("quality", known.quality ?? QUALITY_DEFAULT), QUALITIES);
  violations.throwIfAny();
  // What is missing has been refused.
  return {
    name: name ?? "",
    quotaCharacters,
    rateCharactersPerMinute,
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    rateBytesPerMinute,
    ...(importBytes === undefined || importBytes === "none" ? {} : { importBytes }),
    language: language ?? "",
    embedder: embedder ?? "",
    quality: quality ?? QUALITY_DEFAULT,
  };
}

/**
 * The embedder where none is said. That of the language before follows the language: it would understand none of the new one. Any other was chosen for
 * this bot and stays, even where it is not known: the bot is found by words meanwhile.
 */
function embedderOf(known: KnownSettings, language: string, choices: SettingsChoices): string {
  if (known.embedder === undefined) return choices.embedderFor(language);
  const follows = known.language !== language && known.embedder === choices.embedderFor(known.language);
  return follows ? choices.embedderFor(language) : known.embedder;
}

function languageTag(value: unknown, violations: Violations): string | undefined {
  if (typeof value === "string" && languageOf(value) !== undefined) return tagOf(value);
  const known = LANGUAGES.join(", ");
  violations.add("language", "enum", `language must be the tag of one of these, as in de or de-CH: ${known}`);
  return undefined;
}

function count(field: string, value: unknown, violations: Violations): number {
  if (isCount(value)) return value;
  violations.add(field, "integer", `${field} must be a whole number of characters, 0 or more`);
  return 0;
}

/** A number of bytes, or the word that stands for one; undefined where nothing is said or known. What is there already was chosen before there was a minimum. */
function bytes<Word extends string>(
  field: "quotaBytes" | "rateBytesPerMinute" | "importBytes",
  value: unknown,
  word: Word,
  { known, min, violations }: { readonly known: KnownSettings; readonly min: number; readonly violations: Violations },
): number | Word | undefined {
  if (value === undefined) return undefined;
  if (value === word) return word;
  if (isCount(value) && (value === 0 || value >= min || value === known[field])) return value;
  const hint = isCount(value) ? `; ${value} MiB is ${value * 1_048_576}` : "";
  violations.add(
    field,
    "integer",
    `${field} must be a whole number of bytes from ${min}, 0 for none, or "${word}"${hint}`,
  );
  return undefined;
}
