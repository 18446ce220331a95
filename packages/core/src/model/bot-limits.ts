import type { StoredSettings } from "./records.ts";

/** With `auto`, articles may take this many bytes for each character of the quota, plus a base. */
const QUOTA_BYTES_PER_CHARACTER = 16;
const QUOTA_BYTES_BASE = 32 * 1_048_576;
/** The same for what may be written in a minute, and the characters of the rate. */
const RATE_BYTES_PER_CHARACTER = 64;
const RATE_BYTES_BASE = 16 * 1_048_576;

/** What an article takes of its bot's limits. */
export interface ArticleSize {
  readonly characters: number;
  readonly bytes: number;
}

/** What the articles of a bot may take, as numbers, and its imported documents. */
export interface BotLimits {
  readonly quotaCharacters: number;
  readonly rateCharactersPerMinute: number;
  readonly quotaBytes: number;
  readonly rateBytesPerMinute: number;
  readonly importBytes: number | "none";
}

/** The limits that settings mean: `auto`, and what an earlier version did not set, follow the characters. Imports are not bounded unless a number says so. */
export function limitsOf(settings: LimitSettings): BotLimits {
  const { quotaCharacters, rateCharactersPerMinute, importBytes = "none" } = settings;
  const { quotaBytes = "auto", rateBytesPerMinute = "auto" } = settings;
  return {
    quotaCharacters,
    rateCharactersPerMinute,
    quotaBytes: quotaBytes === "auto" ? quotaCharacters * QUOTA_BYTES_PER_CHARACTER + QUOTA_BYTES_BASE : quotaBytes,
    rateBytesPerMinute:
      rateBytesPerMinute === "auto"
        ? rateCharactersPerMinute * RATE_BYTES_PER_CHARACTER + RATE_BYTES_BASE
        : rateBytesPerMinute,
    importBytes,
  };
}

type LimitSettings = Pick<StoredSettings, keyof BotLimits>;

/**
 * The bytes that a bot may hold that is older than this limit, by what its articles hold now.
 * If that is more than other bots may hold, it can still grow for a while.
 */
export function firstQuotaBytes(heldBytes: number, settings: LimitSettings): number | "auto" {
  const wanted = 2 * heldBytes;
  return wanted > limitsOf({ ...settings, quotaBytes: "auto" }).quotaBytes ? wanted : "auto";
}
