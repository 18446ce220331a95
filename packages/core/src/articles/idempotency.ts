import { createHash } from "node:crypto";
import stableStringify from "fast-json-stable-stringify";
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from "../model/limits.ts";
import type { Violations } from "../model/validation.ts";
import type { ArticleDraft } from "./shape.ts";

/** Refuses a key that a client has made up against the rules. */
export function checkIdempotencyKey(key: string, violations: Violations): void {
  const isGood = /^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_CHARACTERS_MAX;
  if (isGood) return;
  const message = `the idempotency key must be 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} visible ASCII characters without spaces`;
  violations.add("idempotency-key", "header", message);
}

/** What is kept of a key. */
export function keyDigest(key: string): string {
  return digestOf(key);
}

/** What is kept of what was to be created: the same for bodies that say the same, whatever the order of their fields. */
export function draftDigest(draft: ArticleDraft, isStrict: boolean): string {
  return digestOf(stableStringify({ ...draft, isStrict }));
}

/** 128 bits. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
