import {
  RESOURCE_ID_CHARACTERS_MAX,
  SOURCE_NAME_CHARACTERS_MAX,
  SOURCE_NOTES_MAX,
  SOURCE_PROBLEM_CHARACTERS_MAX,
  SOURCE_PROBLEMS_MAX,
  SOURCE_SETTING_CHARACTERS_MAX,
  SOURCE_SETTINGS_MAX,
} from "../model/limits.ts";
import type {
  ArgumentKind,
  ArgumentPlace,
  ArgumentProblem,
  ArgumentReport,
  ArgumentSettings,
} from "../model/sources.ts";
import { type Fields, isCount, own, Violations } from "../model/validation.ts";

const NAME = { min: 1, max: SOURCE_NAME_CHARACTERS_MAX };
/** Known fields. `importedAt` and `report` are among them, so that an argument from `listSources` is accepted as it is. */
const FIELDS = new Set(["name", "kind", "path", "ids", "settings", "importedAt", "report"]);
const REPORT_FIELDS = new Set(["added", "changed", "unchanged", "removed", "failed", "problems", "notes"]);
const KINDS: readonly ArgumentKind[] = ["folder", "file", "address"];
const SETTING = { max: SOURCE_SETTING_CHARACTERS_MAX };

/** Reads an argument of a source. @throws ValidationError */
export function argumentPlace(given: unknown): ArgumentPlace {
  const violations = new Violations();
  const fields = violations.object("argument", given) ?? {};
  violations.unknownFields(fields, FIELDS, "argument.");
  const name = violations.string("name", own(fields, "name"), NAME);
  const kind = violations.oneOf("kind", own(fields, "kind"), KINDS);
  const path = violations.string("path", own(fields, "path"), NAME);
  const ids = violations.string("ids", own(fields, "ids"), { max: RESOURCE_ID_CHARACTERS_MAX });
  const settings = settingsOf(own(fields, "settings"), violations);
  violations.throwIfAny();
  const place = { name: name ?? "", kind: kind ?? "file", path: path ?? "", ids: ids ?? "" };
  return settings === undefined ? place : { ...place, settings };
}

function settingsOf(given: unknown, violations: Violations): ArgumentSettings | undefined {
  if (given === undefined) return undefined;
  const settings: Record<string, string | number | boolean> = {};
  const entries = Object.entries(violations.object("settings", given) ?? {});
  if (entries.length > SOURCE_SETTINGS_MAX) {
    violations.add("settings", "maxItems", `settings must have at most ${SOURCE_SETTINGS_MAX} entries`);
    return undefined;
  }
  for (const [name, value] of entries) {
    violations.string("settings", name, SETTING);
    if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) settings[name] = value;
    else settings[name] = violations.string(`settings.${name}`, value, SETTING) ?? "";
  }
  return settings;
}

/** Reads the report of an import. Texts that are too long are cut, and problems beyond the maximum are dropped. @throws ValidationError */
export function argumentReport(given: unknown): ArgumentReport | undefined {
  if (given === undefined) return undefined;
  const violations = new Violations();
  const fields = violations.object("report", given) ?? {};
  violations.unknownFields(fields, REPORT_FIELDS, "report.");
  const counted = (name: string): number => {
    const count = own(fields, name);
    if (isCount(count)) return count;
    violations.add(`report.${name}`, "integer", `report.${name} must be a whole number from 0 on`);
    return 0;
  };
  const report = {
    added: counted("added"),
    changed: counted("changed"),
    unchanged: counted("unchanged"),
    removed: counted("removed"),
    failed: counted("failed"),
    problems: textsOf("problems", own(fields, "problems"), { most: SOURCE_PROBLEMS_MAX, violations }),
  };
  const told = own(fields, "notes");
  const notes = told === undefined ? [] : textsOf("notes", told, { most: SOURCE_NOTES_MAX, violations });
  violations.throwIfAny();
  return notes.length === 0 ? report : { ...report, notes };
}

function textsOf(
  list: string,
  given: unknown,
  { most, violations }: { readonly most: number; readonly violations: Violations },
): readonly ArgumentProblem[] {
  const where = `report.${list}`;
  if (!Array.isArray(given)) {
    violations.add(where, "array", `${where} must be a list`);
    return [];
  }
  return given.slice(0, most).map((told: unknown) => {
    const fields: Fields = violations.object(where, told) ?? {};
    const [place, message] = ["place", "message"].map((name) => {
      const text = violations.string(`${where}.${name}`, own(fields, name)) ?? "";
      return text.slice(0, SOURCE_PROBLEM_CHARACTERS_MAX).toWellFormed();
    });
    return { place: place ?? "", message: message ?? "" };
  });
}
