import { DOCUMENT_BYTES_MAX, JSON_DEPTH_MAX, RESOURCE_ID_CHARACTERS_MAX } from "../domain/limits.ts";
import type { ContentBlock, DocumentStatus, ImportedType, JsonObject, StoredDocument } from "../domain/types.ts";
import { type Fields, isFields, own, Violations } from "../domain/validation.ts";
import { hasTooMuchMetadata, hasTooMuchText } from "./size.ts";

const IMPORTED_TYPES: readonly ImportedType[] = ["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA"];
export const STATUSES: readonly DocumentStatus[] = ["active", "inactive", "pending"];

const COMMON = ["resourceDocId", "type", "status", "url", "metaData"] as const;
const CONTENT_FIELDS = new Set<string>([...COMMON, "content"]);
const QNA_FIELDS = new Set<string>([...COMMON, "question", "answer", "alternatives"]);
const BLOCK_FIELDS = new Set(["md"]);

/**
 * Reads an imported document, its defaults filled in.
 * @param isArticle whether an id belongs to an article of the bot
 * @throws ValidationError naming every broken rule
 */
export function parseDocument(input: unknown, isArticle: (id: string) => boolean): StoredDocument {
  const violations = new Violations();
  const fields = violations.object("document", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  const id = readId(fields, isArticle, violations);
  const type = readType(fields, violations);
  const isQna = type === "QNA";
  violations.unknownFields(fields, isQna ? QNA_FIELDS : CONTENT_FIELDS);
  const status = readStatus(fields, violations);
  const url = optional(fields, "url", (value) => violations.string("url", value));
  const metaData = optional(fields, "metaData", (value) => readMetaData(value, violations));
  const common = {
    resourceDocId: id ?? "",
    status: status ?? "active",
    ...(url === undefined ? {} : { url }),
    metaData: metaData ?? {},
  };
  if (isQna) {
    const question = readText(fields, "question", violations);
    const answer = readText(fields, "answer", violations);
    const alternatives = optional(fields, "alternatives", (value) => readAlternatives(value, violations));
    violations.throwIfAny();
    const wordings = alternatives === undefined ? {} : { alternatives };
    return bounded({ ...common, type, question: question ?? "", answer: answer ?? "", ...wordings });
  }
  const content = readContent(fields, violations);
  violations.throwIfAny();
  return bounded({ ...common, type: type ?? "DOCUMENT", content: content ?? [] });
}

/** A record has a maximum: a document beyond it is refused here, with a word on what to do. */
function bounded(document: StoredDocument): StoredDocument {
  const violations = new Violations();
  const most = `at most ${DOCUMENT_BYTES_MAX / 1_048_576} MiB`;
  if (hasTooMuchText(document)) {
    violations.add("content", "maxLength", `a document may have ${most} of text; divide it into several`);
  }
  if (hasTooMuchMetadata(document)) {
    violations.add("metaData", "maxLength", `metaData may have ${most}; put into the text what is to be found`);
  }
  violations.throwIfAny();
  return document;
}

function readId(fields: Fields, isArticle: (id: string) => boolean, violations: Violations): string | undefined {
  const value = own(fields, "resourceDocId");
  if (value === undefined) {
    violations.add("resourceDocId", "required", "resourceDocId is required");
    return undefined;
  }
  const id = violations.string("resourceDocId", value, { min: 1, max: RESOURCE_ID_CHARACTERS_MAX });
  if (id !== undefined && isArticle(id)) {
    violations.add("resourceDocId", "articleId", `${id} is the id of an article; articles are changed over the API`);
  }
  return id;
}

function readType(fields: Fields, violations: Violations): ImportedType | undefined {
  const value = own(fields, "type");
  const known = IMPORTED_TYPES.join(", ");
  if (value === undefined) violations.add("type", "required", `type is required: one of ${known}`);
  else if (value === "EXTERNAL") {
    violations.add(
      "type",
      "enum",
      `type EXTERNAL is for articles, which are created over the API; import it as one of ${known}`,
    );
  } else return violations.oneOf("type", value, IMPORTED_TYPES);
  return undefined;
}

/** The status; active if none is given. Undefined if it is not one. */
function readStatus(fields: Fields, violations: Violations): DocumentStatus | undefined {
  return violations.oneOf("status", own(fields, "status") ?? "active", STATUSES);
}

function readText(fields: Fields, name: string, violations: Violations): string | undefined {
  const value = own(fields, name);
  if (value === undefined) {
    violations.add(name, "required", `${name} is required`);
    return undefined;
  }
  return violations.string(name, value, { min: 1 });
}

function readAlternatives(value: unknown, violations: Violations): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    violations.add("alternatives", "array", "alternatives must be an array of strings");
    return undefined;
  }
  return value.flatMap((item, i) => violations.string(`alternatives.${i}`, item, { min: 1 }) ?? []);
}

function readContent(fields: Fields, violations: Violations): readonly ContentBlock[] | undefined {
  const value = own(fields, "content");
  if (value === undefined) {
    violations.add("content", "required", "content is required: an array of { md }");
    return undefined;
  }
  if (!Array.isArray(value)) {
    violations.add("content", "array", "content must be an array of { md }");
    return undefined;
  }
  return value.flatMap((block, i) => {
    const at = `content.${i}`;
    if (!isFields(block)) {
      violations.add(at, "object", `${at} must be an object { md }`);
      return [];
    }
    violations.unknownFields(block, BLOCK_FIELDS, `${at}.`);
    const md = own(block, "md");
    if (md === undefined) violations.add(`${at}.md`, "required", `${at}.md is required`);
    const text = md === undefined ? undefined : violations.string(`${at}.md`, md);
    return text === undefined ? [] : [{ md: text }];
  });
}

function readMetaData(value: unknown, violations: Violations): JsonObject | undefined {
  const fields = violations.object("metaData", value);
  if (fields === undefined) return undefined;
  const problem = jsonProblem(fields, 1);
  // The caller may go on with the object; what is known here must stay what was written.
  if (problem === undefined) return copyOf(fields) as JsonObject;
  violations.add("metaData", problem.type, `metaData ${problem.message}`);
  return undefined;
}

/** What keeps a value from being JSON that can be stored and given back; undefined if nothing does. */
function jsonProblem(value: unknown, depth: number): { type: string; message: string } | undefined {
  if (depth > JSON_DEPTH_MAX) return { type: "json", message: `must be at most ${JSON_DEPTH_MAX} levels deep` };
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { type: "json", message: "must hold finite numbers only" };
  }
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : { type: "string", message: "must be well-formed Unicode" };
  }
  if (typeof value !== "object") return { type: "json", message: "must hold JSON values only" };
  if (!Array.isArray(value) && !isPlain(value)) return { type: "json", message: "must hold JSON values only" };
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (!Array.isArray(value) && Object.keys(value).some((key) => !key.isWellFormed())) {
    return { type: "string", message: "must have well-formed keys" };
  }
  for (const child of children) {
    const problem = jsonProblem(child, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether an object is written as it looks: a date, a map or one that says itself how it becomes JSON would come back as something else. */
function isPlain(value: object): boolean {
  return isFields(value) && !("toJSON" in value && typeof value.toJSON === "function");
}

/** A copy, all the way down, of a value without a {@link jsonProblem}. */
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}

function optional<Value>(fields: Fields, name: string, read: (value: unknown) => Value | undefined): Value | undefined {
  const value = own(fields, name);
  return value === undefined || value === null ? undefined : read(value);
}
