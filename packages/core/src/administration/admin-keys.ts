import { keyName } from "../catalog/key-shape.ts";
import { ADMIN_SCOPES, type AdminIdentity, type AdminKeyInfo, type AdminScope } from "../model/administration.ts";
import { LoredexError, ValidationError } from "../model/errors.ts";
import { ADMIN_KEY_BOTS_MAX, ADMIN_KEYS_MAX } from "../model/limits.ts";
import type { StoredAdminKey } from "../model/records.ts";
import { Violations } from "../model/validation.ts";
import { unicodeForm } from "../platform/unicode-form.ts";
import type { AdminState } from "./admin-state.ts";

const FIELDS = new Set(["scope", "bots"]);

/** By this name, the audit log notes what the command line has changed. */
const COMMAND_LINE = "command line";

/** What was given for a new admin key. */
interface NewAdminKey {
  readonly name: string;
  readonly scope: AdminScope;
  /** Ids or names. */
  readonly bots?: readonly string[];
}

/** Reads the name and the options of a new admin key. @throws ValidationError naming every broken rule */
export function parseNewAdminKey(name: unknown, options: unknown): NewAdminKey {
  const violations = new Violations();
  const known = keyName(name, violations);
  if (unicodeForm(known, "NFKC").replace(/\s+/gu, " ").toLowerCase() === COMMAND_LINE)
    violations.add("name", "name", `name must not be ${COMMAND_LINE}: the audit log names the command line so`);
  const fields = violations.object("options", options) ?? {};
  violations.unknownFields(fields, FIELDS);
  const { scope: given = "write", bots: listed } = { ...fields };
  const scope = violations.oneOf("scope", given, ADMIN_SCOPES) ?? "read";
  const bots = listed === undefined ? {} : { bots: botsOf(listed, violations) };
  violations.throwIfAny();
  return { name: known, scope, ...bots };
}

function botsOf(value: unknown, violations: Violations): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  if (given.length === 0 || given.length > ADMIN_KEY_BOTS_MAX) {
    const range = `1 to ${ADMIN_KEY_BOTS_MAX} ids or names of bots; leave it out for all bots`;
    violations.add("bots", "array", `bots must be a list of ${range}`);
    return [];
  }
  return given.flatMap((bot, index) => violations.string(`bots.${index}`, bot, { min: 1 }) ?? []);
}

/** Refuses one more key of this name. @throws LoredexError `KEY_EXISTS`, ValidationError for more than {@link ADMIN_KEYS_MAX} */
export function refuseAdminKey({ keys }: AdminState, name: string): void {
  if (keys.has(name))
    throw new LoredexError("KEY_EXISTS", `There is an admin key named ${name} already; choose another name.`);
  if (keys.size < ADMIN_KEYS_MAX) return;
  const message = `there are at most ${ADMIN_KEYS_MAX} admin keys: revoke one first`;
  throw new ValidationError([{ field: "name", type: "maxItems", message }]);
}

/** The key of this name. @throws LoredexError `KEY_NOT_FOUND` */
export function adminKeyNamed({ keys }: AdminState, name: string): StoredAdminKey {
  const key = keys.get(name);
  if (key === undefined) throw new LoredexError("KEY_NOT_FOUND", `There is no admin key named ${name}.`);
  return key;
}

/** Information on a key for the operator, without its digest. */
export function adminKeyInfo({ name, scope, bots, createdAtMs }: StoredAdminKey): AdminKeyInfo {
  return { name, scope, ...(bots && { bots }), createdAt: new Date(createdAtMs).toISOString() };
}

export function identityOf({ name, scope, bots, publicId }: StoredAdminKey): AdminIdentity {
  return { name, scope, ...(bots && { bots }), keyId: publicId };
}
