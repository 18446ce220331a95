import { createHash, randomInt } from "node:crypto";

/** How long a code can be used, in milliseconds. */
export const CODE_MS = 600_000;
/** Letters and digits that are not mistaken for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 12;

/** One-time codes by which a person signs in without an admin key, on this node. Only their digests are kept. */
export class SignInCodes {
  readonly #nowMs: () => number;
  /** By digest. */
  readonly #codes = new Map<string, { readonly name: string; readonly untilMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Makes a code, such as `k7fm-2wqx-9bnd`: 59 bits. Another code for the same name ends the one before. */
  make(name: string): string {
    for (const [digest, known] of this.#codes) if (known.name === name) this.#codes.delete(digest);
    const signs = Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)] ?? "");
    const code = signs.join("").replace(/(.{4})(?=.)/g, "$1-");
    this.#codes.set(digestOf(code), { name, untilMs: this.#nowMs() + CODE_MS });
    return code;
  }

  /** The name of the admin key whose rights a code gives. The code ends with this call. Undefined if there is no such code, or its time is over. */
  redeem(code: string): string | undefined {
    const digest = digestOf(code);
    const known = this.#codes.get(digest);
    this.#codes.delete(digest);
    return known !== undefined && this.#nowMs() < known.untilMs ? known.name : undefined;
  }
}

/** Read over the phone or typed by hand, a code may have other dashes and capitals. */
function digestOf(code: string): string {
  return createHash("sha256").update(code.toLowerCase().replace(/[\s-]/g, "")).digest("base64");
}
