import { LANGUAGES, languageOf, tagOf } from "../model/language-tags.ts";
import { LANGUAGE_CHARACTERS_MAX, NAME_CHARACTERS_MAX, QUESTION_LOG_DAYS_MAX } from "../model/limits.ts";
import {
  GAP_SCORE_DEFAULT,
  LANGUAGE_DEFAULT,
  QUALITIES,
  QUALITY_DEFAULT,
  QUESTION_LOG_DAYS_DEFAULT,
  QUOTA_CHARACTERS_DEFAULT,
  RATE_CHARACTERS_PER_MINUTE_DEFAULT,
} from "../model/options.ts";
import type { OptionalSetting, StoredSettings } from "../model/records.ts";
import type { BotSettings } from "../model/types.ts";
import { isCount, isLonger, own, Violations } from "../model/validation.ts";
import { requireVisible } from "./visible-names.ts";

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
  "questionLog",
  "questionLogDays",
  "gapScore",
]);

/** The form of an id, which tells ids from names. */
const ID = /^[0-9a-f]{24}$/;

/** The choices that settings have. */
export interface SettingsChoices {
  readonly embedders: readonly string[];
  /** The least number of bytes that may be chosen. 0 and the present value are allowed as well. */
  readonly bytesMin: number;
  /** The default embedder of a bot of this language. */
  embedderFor(language: string): string;
}

/** The present settings; a new bot's embedder follows its language. */
type KnownSettings = Omit<BotSettings, Later | "name"> & Partial<BotSettings>;

/** Settings that earlier versions did not store. */
type Later = "embedder" | "quality" | OptionalSetting;

/** The default settings of a new bot. Its name must be given. */
export const NEW_BOT: KnownSettings = {
  quotaCharacters: QUOTA_CHARACTERS_DEFAULT,
  rateCharactersPerMinute: RATE_CHARACTERS_PER_MINUTE_DEFAULT,
  quotaBytes: "auto",
  rateBytesPerMinute: "auto",
  language: LANGUAGE_DEFAULT,
};

/**
 * Reads settings of a bot: the given ones over the present ones.
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
  const name = readName(given("name", known.name), violations);
  if (name !== undefined && (ID.test(name) || name.trim() !== name)) {
    violations.add("name", "name", "name must not look like an id (24 hex digits), nor begin or end with white space");
  }
  if (name !== undefined && name !== known.name) requireVisible(name, violations);
  const quotaCharacters = count("quotaCharacters", given("quotaCharacters", known.quotaCharacters), violations);
  const rate = given("rateCharactersPerMinute", known.rateCharactersPerMinute);
  const rateCharactersPerMinute = count("rateCharactersPerMinute", rate, violations);
  const least = { known, min: choices.bytesMin, violations };
  const quotaBytes = bytes("quotaBytes", given("quotaBytes", known.quotaBytes), "auto", least);
  const rateBytes = given("rateBytesPerMinute", known.rateBytesPerMinute ?? "auto");
  const rateBytesPerMinute = bytes("rateBytesPerMinute", rateBytes, "auto", least) ?? "auto";
  const importBytes = bytes("importBytes", given("importBytes", known.importBytes), "none", { ...least, min: 0 });
  const language = languageTag(given("language", known.language), known.language, violations);
  const kept = embedderOf(known, language ?? "", choices);
  const embedder = violations.oneOf("embedder", given("embedder", kept), [...new Set([...choices.embedders, kept])]);
  const quality = violations.oneOf("quality", given("quality", known.quality ?? QUALITY_DEFAULT), QUALITIES);
  const log = questionLogSettings(given, known, violations);
  violations.throwIfAny();
  // Missing values have been refused.
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
    ...log,
  };
}

function readName(name: unknown, violations: Violations): string | undefined {
  if (name !== undefined) return violations.string("name", name, { min: 1, max: NAME_CHARACTERS_MAX });
  violations.add("name", "required", "name is required");
  return undefined;
}

/** Reads the settings of the question log. Defaults are not stored: a bot without a log is stored as by earlier versions. */
function questionLogSettings(
  given: (field: string, before: unknown) => unknown,
  known: KnownSettings,
  violations: Violations,
): Partial<Pick<BotSettings, "questionLog" | "questionLogDays" | "gapScore">> {
  const questionLog = violations.boolean("questionLog", given("questionLog", known.questionLog ?? false));
  const days = given("questionLogDays", known.questionLogDays ?? QUESTION_LOG_DAYS_DEFAULT);
  const bounds = { min: 1, max: QUESTION_LOG_DAYS_MAX, isInteger: true };
  const questionLogDays = violations.number("questionLogDays", days, bounds);
  const score = given("gapScore", known.gapScore ?? GAP_SCORE_DEFAULT);
  const gapScore = violations.number("gapScore", score, { min: 0, max: 1, isInteger: false });
  return {
    ...(questionLog === true ? { questionLog } : {}),
    ...(questionLogDays === undefined || questionLogDays === QUESTION_LOG_DAYS_DEFAULT ? {} : { questionLogDays }),
    ...(gapScore === undefined || gapScore === GAP_SCORE_DEFAULT ? {} : { gapScore }),
  };
}

/** Settings as they were stored, with the names of today: the static embedder was called student. */
export function settingsOfToday<Settings extends { readonly embedder?: unknown }>(settings: Settings): Settings {
  return settings.embedder === "student" ? { ...settings, embedder: "static" } : settings;
}

/**
 * The embedder if none is given. The default embedder of the former language follows the language, since it would understand nothing of the new one.
 * Any other embedder was chosen for this bot and stays, even if it is unknown: the bot is found by words meanwhile.
 */
function embedderOf(known: KnownSettings, language: string, choices: SettingsChoices): string {
  if (known.embedder === undefined) return choices.embedderFor(language);
  const follows = known.language !== language && known.embedder === choices.embedderFor(known.language);
  return follows ? choices.embedderFor(language) : known.embedder;
}

/** Reads a language tag. The present one may be longer: it was chosen before there was a maximum. */
function languageTag(value: unknown, present: string, violations: Violations): string | undefined {
  if (typeof value === "string" && value !== present && isLonger(value, LANGUAGE_CHARACTERS_MAX)) {
    violations.add("language", "maxLength", `language must have at most ${LANGUAGE_CHARACTERS_MAX} characters`);
    return undefined;
  }
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

/**
 * Reads a number of bytes, or the word that stands for one; undefined if none is given or known.
 * The present value may be below the minimum: it was chosen before there was one.
 */
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
