import { hasTooMuchText } from "../log/document-size.ts";
import {
  DOCUMENT_ALTERNATIVES_MAX,
  DOCUMENT_BLOCKS_MAX,
  DOCUMENT_BYTES_MAX,
  DOCUMENT_TITLE_CHARACTERS_MAX,
  DOCUMENT_URL_CHARACTERS_MAX,
  RESOURCE_ID_CHARACTERS_MAX,
} from "../model/limits.ts";
import { DOCUMENT_STATUSES, IMPORTED_TYPES } from "../model/options.ts";
import type { ContentBlock, DocumentStatus, ImportedType, StoredDocument } from "../model/types.ts";
import { type Fields, isFields, isLonger, own, Violations } from "../model/validation.ts";
import { readMetaData } from "./metadata.ts";

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
  const url = optional(fields, "url", (value) =>
    upTo(
      DOCUMENT_URL_CHARACTERS_MAX,
      "url",
      violations.string("url", value),
      "keep what is long in metaData",
      violations,
    ),
  );
  const metaData = optional(fields, "metaData", (value) => readMetaData(value, violations));
  const common = {
    resourceDocId: id ?? "",
    status: status ?? "active",
    ...(url === undefined ? {} : { url }),
    metaData: metaData ?? {},
  };
  if (isQna) {
    const question = readTitle("question", readText(fields, "question", violations), violations);
    const answer = readText(fields, "answer", violations);
    const alternatives = optional(fields, "alternatives", (value) => readAlternatives(value, violations));
    violations.throwIfAny();
    const variants = alternatives === undefined ? {} : { alternatives };
    return bounded({ ...common, type, question: question ?? "", answer: answer ?? "", ...variants });
  }
  const content = readContent(fields, violations);
  violations.throwIfAny();
  return bounded({ ...common, type: type ?? "DOCUMENT", content: content ?? [] });
}

/** Refuses a document with more than {@link DOCUMENT_BYTES_MAX} bytes of text, and says what to do. Records have a maximum. */
function bounded(document: StoredDocument): StoredDocument {
  const violations = new Violations();
  const most = `at most ${DOCUMENT_BYTES_MAX / 1_048_576} MiB`;
  if (hasTooMuchText(document)) {
    violations.add("content", "maxLength", `a document may have ${most} of text; divide it into several`);
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

/** Reads the status: `active` if none is given, undefined if it is invalid. */
function readStatus(fields: Fields, violations: Violations): DocumentStatus | undefined {
  return violations.oneOf("status", own(fields, "status") ?? "active", DOCUMENT_STATUSES);
}

function readText(fields: Fields, name: string, violations: Violations): string | undefined {
  const value = own(fields, name);
  if (value === undefined) {
    violations.add(name, "required", `${name} is required`);
    return undefined;
  }
  return violations.string(name, value, { min: 1 });
}

/** Bounds a text that a document is found by like a title: at most {@link DOCUMENT_TITLE_CHARACTERS_MAX} characters. */
function readTitle(field: string, value: string | undefined, violations: Violations): string | undefined {
  return upTo(DOCUMENT_TITLE_CHARACTERS_MAX, field, value, "put the rest into the answer", violations);
}

/** The text; undefined if there is none, or if it has more than `max` characters. In that case `remedy` tells the caller what to do. */
function upTo(
  max: number,
  field: string,
  text: string | undefined,
  remedy: string,
  violations: Violations,
): string | undefined {
  if (text === undefined || !isLonger(text, max)) return text;
  violations.add(field, "maxLength", `${field} must have at most ${max} characters; ${remedy}`);
  return undefined;
}

function readAlternatives(value: unknown, violations: Violations): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    violations.add("alternatives", "array", "alternatives must be an array of strings");
    return undefined;
  }
  if (value.length > DOCUMENT_ALTERNATIVES_MAX) {
    const most = `at most ${DOCUMENT_ALTERNATIVES_MAX} wordings`;
    violations.add(
      "alternatives",
      "maxLength",
      `alternatives must have ${most}; put the others into a QNA of their own`,
    );
    return undefined;
  }
  return value.flatMap((item, i) => {
    const at = `alternatives.${i}`;
    return readTitle(at, violations.string(at, item, { min: 1 }), violations) ?? [];
  });
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
  if (value.length > DOCUMENT_BLOCKS_MAX) {
    const most = `at most ${DOCUMENT_BLOCKS_MAX} blocks`;
    violations.add("content", "maxLength", `content must have ${most}; put several into one, or divide the document`);
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

function optional<Value>(fields: Fields, name: string, read: (value: unknown) => Value | undefined): Value | undefined {
  const value = own(fields, name);
  return value === undefined || value === null ? undefined : read(value);
}
