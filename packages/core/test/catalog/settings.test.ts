import { describe, expect, it } from "vitest";
import { NEW_BOT, parseSettings, type SettingsChoices } from "../../src/catalog/settings.ts";
import { QUOTA_BYTES_MIN } from "../../src/model/limits.ts";
import { storedChoices } from "../../src/operations/backup.ts";

const CHOICES: SettingsChoices = { embedders: ["none"], bytesMin: QUOTA_BYTES_MIN, embedderFor: () => "none" };
const before = { ...NEW_BOT, name: "shop", quotaBytes: 10 };

describe("the bytes of a bot", () => {
  it.each([10, QUOTA_BYTES_MIN - 1])("are not so few that no article fits: %d", (quotaBytes) => {
    const message = `quotaBytes must be a whole number of bytes from 1024, 0 for none, or "auto"; ${quotaBytes} MiB is`;
    expect(() => parseSettings({ name: "shop", quotaBytes }, NEW_BOT, CHOICES)).toThrow(message);
    expect(() => parseSettings({ rateBytesPerMinute: quotaBytes }, before, CHOICES)).toThrow("rateBytesPerMinute must");
  });

  it.each([0, QUOTA_BYTES_MIN, "auto"])("may be %s", (quotaBytes) => {
    expect(parseSettings({ name: "shop", quotaBytes }, NEW_BOT, CHOICES)).toMatchObject({ quotaBytes });
  });

  it("stay as few as they were chosen before there was a least number, also in a backup", () => {
    expect(parseSettings({ quality: "fast" }, before, CHOICES)).toMatchObject({ quotaBytes: 10, quality: "fast" });
    expect(parseSettings({ quotaBytes: 10 }, before, CHOICES)).toMatchObject({ quotaBytes: 10 });
    const stored = { ...before, embedder: "none", rateBytesPerMinute: 10 };
    expect(parseSettings(stored, { ...NEW_BOT, name: "" }, storedChoices("none"))).toMatchObject(stored);
  });

  it("are not null: what is given is not left out", () => {
    expect(() => parseSettings({ quotaBytes: null, name: null }, before, CHOICES)).toThrow("name must be a string; ");
  });
});
