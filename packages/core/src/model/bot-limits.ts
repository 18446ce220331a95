import type { StoredSettings } from "./records.ts";

/** `quotaBytes: "auto"` is this many bytes for each character of the quota, plus a base. */
const QUOTA_BYTES_PER_CHARACTER = 16;
const QUOTA_BYTES_BASE = 32 * 1_048_576;
/** The same for `rateBytesPerMinute`, and the characters of the rate. */
const RATE_BYTES_PER_CHARACTER = 64;
const RATE_BYTES_BASE = 16 * 1_048_576;

/** The size of an article, as its bot's limits count it. */
export interface ArticleSize {
  readonly characters: number;
  readonly bytes: number;
}

/** The limits of a bot's articles and imported documents, with `auto` resolved to numbers. */
export interface BotLimits {
  readonly quotaCharacters: number;
  readonly rateCharactersPerMinute: number;
  readonly quotaBytes: number;
  readonly rateBytesPerMinute: number;
  readonly importBytes: number | "none";
}

/** Resolves settings to limits. Byte limits that are `auto`, or absent in older settings, follow the characters. Imports have no limit by default. */
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
 * The first `quotaBytes` of a bot that is older than this setting: twice the bytes that its articles hold, if that is more than `auto` gives.
 * So a bot above the usual limit can still grow.
 */
export function firstQuotaBytes(heldBytes: number, settings: LimitSettings): number | "auto" {
  const wanted = 2 * heldBytes;
  return wanted > limitsOf({ ...settings, quotaBytes: "auto" }).quotaBytes ? wanted : "auto";
}
