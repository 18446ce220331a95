import type { StoredSettings } from "../../src/model/records.ts";

/** Settings of a bot for tests of the catalog alone. */
export function settingsNamed(name: string): StoredSettings {
  return {
    name,
    quotaCharacters: 1,
    rateCharactersPerMinute: 1,
    quotaBytes: "auto",
    rateBytesPerMinute: "auto",
    importBytes: "none",
    language: "en",
    embedder: "fake",
    quality: "best",
  };
}
