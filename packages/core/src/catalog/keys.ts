import { createHash, timingSafeEqual } from "node:crypto";
import type { StoredKey } from "../model/records.ts";
import type { Random } from "../platform/clock.ts";

/**
 * A key is `lore_<16 hex digits>_<43 characters>`: a public id by which it is looked up, and 32 random bytes in base64url.
 * Only the public id and the SHA-256 of the whole key are stored.
 */
const KEY = /^lore_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** Creates a key. Its text is shown once and never stored. */
export function makeKey(random: Random): { readonly text: string; readonly stored: StoredKey } {
  const publicId = Buffer.from(random.bytes(8)).toString("hex");
  const text = `lore_${publicId}_${Buffer.from(random.bytes(32)).toString("base64url")}`;
  return { text, stored: { publicId, sha256: digest(text).toString("hex") } };
}

/** The public id of a key, by which it is looked up; undefined if the text does not have the form of a key. */
export function publicIdOf(text: string): string | undefined {
  return KEY.exec(text)?.[1];
}

/** The key to compare with if no key has the public id, so that an unknown id takes as long as a wrong secret. */
const NO_KEY: StoredKey = { publicId: "", sha256: "00".repeat(32) };

/** Whether the text is this key, in a time that does not depend on the answer. */
export function matchesKey(text: string, stored: StoredKey | undefined): boolean {
  const isEqual = timingSafeEqual(digest(text), Buffer.from((stored ?? NO_KEY).sha256, "hex"));
  return isEqual && stored !== undefined;
}

/** The SHA-256 of a secret, by which it is stored. */
export function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
