import { LoredexError } from "../domain/errors.ts";
import type { ArticleFields } from "../domain/records.ts";
import type { StoredDocument } from "../domain/types.ts";

/** The last instant that a Date can be, in milliseconds. */
const LAST_MS = 8.64e15;

/** An article as it was stored, if reading it can end in no surprise later on. @throws LoredexError `CORRUPT` */
export function checkedArticle(fields: ArticleFields): ArticleFields {
  const { id, title, body, createdAtMs, updatedAtMs, characterCount } = fields;
  const isText = typeof id === "string" && typeof title === "string" && typeof body === "string";
  if (isText && isTime(createdAtMs) && isTime(updatedAtMs) && Number.isSafeInteger(characterCount)) return fields;
  throw new LoredexError("CORRUPT", `The stored article ${String(id)} lacks a field, or has one that it cannot have.`);
}

/** A document as it was stored, alike. @throws LoredexError `CORRUPT` */
export function checkedDocument(document: StoredDocument): StoredDocument {
  const { resourceDocId: id, type, metaData } = document;
  const isHead =
    typeof id === "string" && typeof type === "string" && typeof metaData === "object" && metaData !== null;
  const isBody =
    type === "QNA"
      ? [document.question, document.answer, ...(document.alternatives ?? [])].every((text) => typeof text === "string")
      : Array.isArray(document.content) && document.content.every((block) => typeof block?.md === "string");
  if (isHead && isBody) return document;
  throw new LoredexError("CORRUPT", `The stored document ${String(id)} lacks a field, or has one that it cannot have.`);
}

export function isTime(ms: number): boolean {
  return typeof ms === "number" && Math.abs(ms) <= LAST_MS;
}
