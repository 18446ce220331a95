import { createHash, randomInt } from "node:crypto";
import type { AdminIdentity } from "@loredex/core";

/** How long a code can be used, in milliseconds. */
export const CODE_MS = 600_000;
/** Letters and digits that are not mistaken for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 12;

/** One-time codes by which a person signs in without an admin key, on this node. Only their digests are kept. */
export class SignInCodes {
  readonly #nowMs: () => number;
  /** By digest. */
  readonly #codes = new Map<string, { readonly identity: AdminIdentity; readonly untilMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Makes a code, such as `k7fm-2wqx-9bnd`: 59 bits. Another code for the same admin key ends the one before. */
  make(identity: AdminIdentity): string {
    for (const [digest, known] of this.#codes) if (known.identity.name === identity.name) this.#codes.delete(digest);
    const signs = Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)] ?? "");
    const code = signs.join("").replace(/(.{4})(?=.)/g, "$1-");
    this.#codes.set(digestOf(code), { identity, untilMs: this.#nowMs() + CODE_MS });
    return code;
  }

  /**
   * The admin key for which a code was made. The code ends with this call. Undefined if there is no such code, or its time is over. If the key was rotated
   * or revoked since, no session can be opened by it.
   */
  redeem(code: string): AdminIdentity | undefined {
    const digest = digestOf(code);
    const known = this.#codes.get(digest);
    this.#codes.delete(digest);
    return known !== undefined && this.#nowMs() < known.untilMs ? known.identity : undefined;
  }
}

/** Read over the phone or typed by hand, a code may have other dashes and capitals. */
function digestOf(code: string): string {
  return createHash("sha256").update(code.toLowerCase().replace(/[\s-]/g, "")).digest("base64");
}
