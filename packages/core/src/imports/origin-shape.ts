import { SOURCE_DIGEST_CHARACTERS_MAX, SOURCE_NAME_CHARACTERS_MAX } from "../model/limits.ts";
import type { DocumentOrigin, OwnedDocument } from "../model/sources.ts";
import { type Fields, own, Violations } from "../model/validation.ts";

const NAME = { min: 1, max: SOURCE_NAME_CHARACTERS_MAX };
/** Known fields. `id` is among them, so that an entry of `ownedDocuments` is accepted as it is. */
const FIELDS: ReadonlySet<string> = new Set<keyof OwnedDocument>(["source", "argument", "path", "digest", "id"]);

/** Reads the origin of an import: a source's name, or an object; undefined if none is given. @throws ValidationError */
export function originOf(given: unknown): DocumentOrigin | undefined {
  if (given === undefined) return undefined;
  const violations = new Violations();
  const fields = typeof given === "string" ? { source: given } : violations.object("source", given);
  if (fields !== undefined) violations.unknownFields(fields, FIELDS, "source.");
  const source = violations.string("source", own(fields ?? {}, "source"), NAME);
  const argument = optional("argument", fields, NAME, violations);
  const path = optional("path", fields, { max: SOURCE_NAME_CHARACTERS_MAX }, violations);
  const digest = optional("digest", fields, { min: 1, max: SOURCE_DIGEST_CHARACTERS_MAX }, violations);
  violations.throwIfAny();
  return {
    source: source ?? "",
    ...(argument === undefined ? {} : { argument }),
    ...(path === undefined ? {} : { path }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Reads the name of a source. @throws ValidationError */
export function sourceName(given: unknown, field = "source"): string {
  const violations = new Violations();
  const name = violations.string(field, given, NAME);
  violations.throwIfAny();
  return name ?? "";
}

function optional(
  name: string,
  fields: Fields | undefined,
  lengths: { readonly min?: number; readonly max: number },
  violations: Violations,
): string | undefined {
  const value = own(fields ?? {}, name);
  return value === undefined ? undefined : violations.string(name, value, lengths);
}
