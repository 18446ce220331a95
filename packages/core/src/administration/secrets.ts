import { createHmac } from "node:crypto";
import { digest } from "../catalog/keys.ts";
import type { Random } from "../platform/clock.ts";

/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Creates the token of a session. Only its digest is stored. */
export function makeToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

/** The digest of a token, by which its session is found; undefined for a text that is none. */
export function tokenDigest(token: string): string | undefined {
  return TOKEN.test(token) ? digest(token).toString("hex") : undefined;
}

/** The CSRF token of a session. It follows from the session's token, which a page cannot read. So every node knows it, and nothing more is stored. */
export function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("loredex csrf").digest("base64url");
}
