import { DEFAULT_KEY, KEY_SCOPES, type KeyInfo } from "../model/keys.ts";
import {
  KEY_ORIGIN_CHARACTERS_MAX,
  KEY_ORIGINS_MAX,
  KEY_REQUESTS_PER_MINUTE_MAX,
  NAME_CHARACTERS_MAX,
} from "../model/limits.ts";
import type { StoredKey, StoredNamedKey } from "../model/records.ts";
import { isCount, own, Violations } from "../model/validation.ts";
import type { EveryField } from "./catalog-state.ts";
import { requireVisible } from "./visible-names.ts";

const FIELDS = new Set(["scope", "requestsPerMinute", "origins"]);

/** The stored terms of a key: its name, scope, rate and origins. */
export type KeyTerms = Omit<StoredNamedKey, keyof StoredKey>;

/** Reads the terms of a new key. @throws ValidationError naming every broken rule */
export function parseNewKey(name: unknown, options: unknown): KeyTerms {
  const violations = new Violations();
  const known = keyName(name, violations);
  if (known === DEFAULT_KEY) {
    violations.add(
      "name",
      "name",
      `name must not be ${DEFAULT_KEY}: that is the key of the bot itself; rotate it instead`,
    );
  }
  const fields = violations.object("options", options) ?? {};
  violations.unknownFields(fields, FIELDS);
  const { scope: given = "all", requestsPerMinute, origins: listed = [] } = { ...fields };
  const scope = violations.oneOf("scope", given, KEY_SCOPES) ?? "all";
  const rate = requestRate(requestsPerMinute, violations);
  const origins = originsOf(listed, violations);
  violations.throwIfAny();
  return termsOf({ name: known, scope, requestsPerMinute: rate, origins });
}

/**
 * Reads a stored key with a name, and checks it.
 * @throws TypeError if it is invalid
 */
export function storedNamedKey(value: unknown): StoredNamedKey {
  const violations = new Violations();
  const fields = violations.object("key", value) ?? {};
  const name = violations.string("name", own(fields, "name"), { min: 1 }) ?? "";
  const scope = violations.oneOf("scope", own(fields, "scope"), KEY_SCOPES) ?? "search";
  const rate = requestRate(own(fields, "requestsPerMinute"), violations);
  const origins = originsOf(own(fields, "origins") ?? [], violations);
  const key = storedKey(value);
  if (violations.isBroken) throw new TypeError("its key is none");
  return { ...key, ...termsOf({ name, scope, requestsPerMinute: rate, origins }) };
}

/** Reads the public id and the SHA-256 of a stored key, and checks them. @throws TypeError if one is invalid */
export function storedKey(value: unknown): StoredKey {
  const fields = new Map(Object.entries(value ?? {}));
  const [publicId, sha256] = [fields.get("publicId"), fields.get("sha256")];
  if (typeof publicId === "string" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256)) {
    return { publicId, sha256 };
  }
  throw new TypeError("its key is none");
}

/** Information on a key for the operator, without its digest. */
export function keyInfoOf({ name, scope, requestsPerMinute, origins = [] }: KeyTerms): KeyInfo {
  const rate = requestsPerMinute === undefined ? {} : { requestsPerMinute };
  return Object.freeze({ name, scope, ...rate, origins: Object.freeze([...origins]) });
}

/** Information on the key that a bot is created with. */
export const DEFAULT_KEY_INFO: KeyInfo = keyInfoOf({ name: DEFAULT_KEY, scope: "all" });

function termsOf({ requestsPerMinute, origins = [], ...always }: EveryField<KeyTerms>): KeyTerms {
  return {
    ...always,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(origins.length === 0 ? {} : { origins: [...new Set(origins)] }),
  };
}

function requestRate(value: unknown, violations: Violations): number | undefined {
  if (value === undefined) return undefined;
  if (isCount(value) && value >= 1 && value <= KEY_REQUESTS_PER_MINUTE_MAX) return value;
  const range = `a whole number from 1 to ${KEY_REQUESTS_PER_MINUTE_MAX}`;
  violations.add("requestsPerMinute", "range", `requestsPerMinute must be ${range}`);
  return undefined;
}

function originsOf(value: unknown, violations: Violations): readonly string[] {
  if (!Array.isArray(value)) {
    violations.add("origins", "array", "origins must be a list of origins");
    return [];
  }
  if (value.length > KEY_ORIGINS_MAX) {
    violations.add("origins", "maxItems", `origins must be at most ${KEY_ORIGINS_MAX}`);
    return [];
  }
  const given: readonly unknown[] = value;
  return given.flatMap((origin, index) => originOf(`origins.${index}`, origin, violations));
}

/** Reads an origin. It must have the one form in which browsers send it, since it is compared as text. */
function originOf(field: string, value: unknown, violations: Violations): readonly string[] {
  const text = violations.string(field, value, { min: 1, max: KEY_ORIGIN_CHARACTERS_MAX });
  if (text === undefined) return [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url !== undefined && (url.protocol === "https:" || url.protocol === "http:");
  if (isWeb && url.origin === text) return [text];
  const meant = isWeb ? `; write ${url.origin}` : ", as https://shop.example.com";
  violations.add(field, "origin", `${field} must be an origin as browsers send it${meant}`);
  return [];
}

/** Reads the name of a new key. */
export function keyName(name: unknown, violations: Violations): string {
  const known = violations.string("name", name, { min: 1, max: NAME_CHARACTERS_MAX }) ?? "";
  if (known.trim() !== known) violations.add("name", "name", "name must not begin or end with white space");
  requireVisible(known, violations);
  return known;
}
