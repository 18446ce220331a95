import {
  ARTICLE_ID_CHARACTERS_MAX,
  BATCH_OPERATIONS_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_KEYS_MAX,
} from "../model/limits.ts";
import type { ArticleKeys } from "../model/types.ts";
import { type Fields, own, Violations } from "../model/validation.ts";

/** One operation of a batch. The write itself checks `article`. */
export type ArticleOperation =
  | { readonly op: "create"; readonly article: Fields }
  | { readonly op: "update"; readonly id: string; readonly article: Fields }
  | { readonly op: "delete"; readonly id: string }
  | { readonly op: "upsert"; readonly by: ArticleKeys; readonly article: Fields };

const OPERATIONS = ["create", "update", "delete", "upsert"] as const;
const LIST_FIELDS = new Set(["operations"]);
const FIELDS: Readonly<Record<ArticleOperation["op"], ReadonlySet<string>>> = {
  create: new Set(["op", "article"]),
  update: new Set(["op", "id", "article"]),
  delete: new Set(["op", "id"]),
  upsert: new Set(["op", "by", "article"]),
};

/**
 * Reads a list of operations, `{ "operations": [...] }`.
 * @throws ValidationError naming every broken rule of the list; errors of an article are found by its operation
 */
export function parseArticleOperations(input: unknown): readonly ArticleOperation[] {
  const violations = new Violations();
  const fields = violations.object("body", input) ?? {};
  violations.unknownFields(fields, LIST_FIELDS);
  const list = own(fields, "operations");
  const operations: ArticleOperation[] = [];
  if (list === undefined) {
    violations.add("operations", "required", "operations is required");
  } else if (!Array.isArray(list)) {
    violations.add("operations", "array", "operations must be an array");
  } else if (list.length < 1 || list.length > BATCH_OPERATIONS_MAX) {
    const rule = list.length < 1 ? "minItems" : "maxItems";
    violations.add("operations", rule, `operations must have 1 to ${BATCH_OPERATIONS_MAX} entries`);
  } else {
    for (const [i, entry] of list.entries()) {
      const operation = readOperation(`operations.${i}`, entry, violations);
      if (operation !== undefined) operations.push(operation);
    }
  }
  violations.throwIfAny();
  return operations;
}

function readOperation(at: string, entry: unknown, violations: Violations): ArticleOperation | undefined {
  const fields = violations.object(at, entry);
  if (fields === undefined) return undefined;
  const required = <Value>(name: string, read: (field: string, value: unknown) => Value | undefined) => {
    const value = own(fields, name);
    const field = `${at}.${name}`;
    if (value !== undefined) return read(field, value);
    violations.add(field, "required", `${field} is required`);
    return undefined;
  };
  const op = required("op", (field, value) => violations.oneOf(field, value, OPERATIONS));
  if (op === undefined) return undefined;
  violations.unknownFields(fields, FIELDS[op], `${at}.`);
  const text = (name: string) =>
    required(name, (field, value) => violations.string(field, value, { max: ARTICLE_ID_CHARACTERS_MAX }));
  const id = op === "update" || op === "delete" ? text("id") : undefined;
  if (op === "delete") return id === undefined ? undefined : { op, id };
  const article = required("article", (field, value) => violations.object(field, value));
  if (op === "create") return article === undefined ? undefined : { op, article };
  if (op === "update") return id === undefined || article === undefined ? undefined : { op, id, article };
  const by = required("by", (field, value) => keysOf(field, value, violations));
  return by === undefined || article === undefined ? undefined : { op, by, article };
}

/** Reads one key of metadata, or a list of 1 to {@link METADATA_KEYS_MAX} keys. */
function keysOf(field: string, value: unknown, violations: Violations): ArticleKeys | undefined {
  if (!Array.isArray(value)) return keyOf(field, value, violations);
  if (value.length < 1 || value.length > METADATA_KEYS_MAX) {
    const rule = value.length < 1 ? "minItems" : "maxItems";
    violations.add(field, rule, `${field} must name 1 to ${METADATA_KEYS_MAX} keys of metadata`);
    return undefined;
  }
  const keys = value.map((key, i) => keyOf(`${field}.${i}`, key, violations));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function keyOf(field: string, value: unknown, violations: Violations): string | undefined {
  return violations.string(field, value, { max: METADATA_KEY_CHARACTERS_MAX });
}
