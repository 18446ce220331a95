import { createHash } from "node:crypto";
import stableStringify from "fast-json-stable-stringify";
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from "../model/limits.ts";
import type { Violations } from "../model/validation.ts";
import type { ArticleDraft } from "./shape.ts";

/** Checks an idempotency key: 1 to {@link IDEMPOTENCY_KEY_CHARACTERS_MAX} visible ASCII characters. */
export function checkIdempotencyKey(key: string, violations: Violations): void {
  const isGood = /^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_CHARACTERS_MAX;
  if (isGood) return;
  const message = `the idempotency key must be 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} visible ASCII characters without spaces`;
  violations.add("idempotency-key", "header", message);
}

/** Digest of an idempotency key. The key itself is not stored. */
export function keyDigest(key: string): string {
  return digestOf(key);
}

/** Digest of an article to be created. Bodies with the same values have the same digest, whatever the order of their fields. */
export function draftDigest(draft: ArticleDraft, isStrict: boolean): string {
  return digestOf(stableStringify({ ...draft, isStrict }));
}

/** The first 132 bits of the SHA-256, as 22 characters of base64url. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
