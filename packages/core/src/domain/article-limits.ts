import type { StoredSettings } from "./records.ts";

/** With `auto`, the bytes that articles may take: these for each character of the quota, and these beside them. */
const QUOTA_BYTES_PER_CHARACTER = 16;
const QUOTA_BYTES_BASE = 32 * 1_048_576;
/** With `auto`, the bytes that may be written in a minute, alike. */
const RATE_BYTES_PER_CHARACTER = 64;
const RATE_BYTES_BASE = 16 * 1_048_576;

/** What an article takes of its bot's limits. */
export interface ArticleSize {
  readonly characters: number;
  readonly bytes: number;
}

/** What the articles of a bot may take, as numbers. */
export interface ArticleLimits {
  readonly quotaCharacters: number;
  readonly rateCharactersPerMinute: number;
  readonly quotaBytes: number;
  readonly rateBytesPerMinute: number;
}

/** The limits that settings mean: `auto`, and what an earlier version did not set, follow the characters. */
export function articleLimitsOf(settings: LimitSettings): ArticleLimits {
  const { quotaCharacters, rateCharactersPerMinute, quotaBytes = "auto", rateBytesPerMinute = "auto" } = settings;
  return {
    quotaCharacters,
    rateCharactersPerMinute,
    quotaBytes: quotaBytes === "auto" ? quotaCharacters * QUOTA_BYTES_PER_CHARACTER + QUOTA_BYTES_BASE : quotaBytes,
    rateBytesPerMinute:
      rateBytesPerMinute === "auto"
        ? rateCharactersPerMinute * RATE_BYTES_PER_CHARACTER + RATE_BYTES_BASE
        : rateBytesPerMinute,
  };
}

type LimitSettings = Pick<StoredSettings, keyof ArticleLimits>;

/**
 * The bytes that a bot may hold that was made before there was such a limit, as its articles hold this much.
 * It goes on growing for a while where it holds more than others may.
 */
export function firstQuotaBytes(heldBytes: number, settings: LimitSettings): number | "auto" {
  const wanted = 2 * heldBytes;
  return wanted > articleLimitsOf({ ...settings, quotaBytes: "auto" }).quotaBytes ? wanted : "auto";
}
