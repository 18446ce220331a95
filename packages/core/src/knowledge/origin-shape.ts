import { RESOURCE_ID_CHARACTERS_MAX, SOURCE_NAME_CHARACTERS_MAX } from "../domain/limits.ts";
import type { ArgumentKind, ArgumentPlace, DocumentOrigin } from "../domain/sources.ts";
import { type Fields, own, Violations } from "../domain/validation.ts";

const NAME = { min: 1, max: SOURCE_NAME_CHARACTERS_MAX };
const KINDS: readonly ArgumentKind[] = ["folder", "file", "address"];

/** What a caller says that brings a document: undefined for nothing. @throws ValidationError */
export function originOf(given: unknown): DocumentOrigin | undefined {
  // What is absent arrives as null from elsewhere.
  if (given === undefined || given === null) return undefined;
  const violations = new Violations();
  const fields = typeof given === "string" ? { source: given } : violations.object("source", given);
  const source = violations.string("source", own(fields ?? {}, "source"), NAME);
  const argument = optional("argument", fields, NAME, violations);
  const path = optional("path", fields, { max: SOURCE_NAME_CHARACTERS_MAX }, violations);
  violations.throwIfAny();
  return {
    source: source ?? "",
    ...(argument === undefined ? {} : { argument }),
    ...(path === undefined ? {} : { path }),
  };
}

/** @throws ValidationError */
export function sourceName(given: unknown, field = "source"): string {
  const violations = new Violations();
  const name = violations.string(field, given, NAME);
  violations.throwIfAny();
  return name ?? "";
}

/** @throws ValidationError */
export function argumentPlace(given: unknown): ArgumentPlace {
  const violations = new Violations();
  const fields = violations.object("argument", given) ?? {};
  const name = violations.string("name", own(fields, "name"), NAME);
  const kind = violations.oneOf("kind", own(fields, "kind"), KINDS);
  const path = violations.string("path", own(fields, "path"), NAME);
  const ids = violations.string("ids", own(fields, "ids"), { max: RESOURCE_ID_CHARACTERS_MAX });
  violations.throwIfAny();
  return { name: name ?? "", kind: kind ?? "file", path: path ?? "", ids: ids ?? "" };
}

function optional(
  name: string,
  fields: Fields | undefined,
  lengths: { readonly min?: number; readonly max: number },
  violations: Violations,
): string | undefined {
  const value = own(fields ?? {}, name) ?? undefined;
  return value === undefined ? undefined : violations.string(name, value, lengths);
}
