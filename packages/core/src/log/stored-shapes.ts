import { LoredexError } from "../model/errors.ts";
import { IMPORTED_TYPES } from "../model/options.ts";
import type { ArticleFields, RecordOf } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import { isCount, isFields } from "../model/validation.ts";
import type { Vocabulary } from "../model/vocabulary-types.ts";
import type { RememberedCreate } from "./remembered-creates.ts";
import type { StoredArgument, StoredOrigin, StoredSource } from "./source-table.ts";

/** The last instant that a Date can be, in milliseconds. */
const LAST_MS = 8.64e15;

/** Checks a stored article, so that later code can rely on its fields. @throws LoredexError `CORRUPT` */
export function checkedArticle(fields: ArticleFields): ArticleFields {
  const { id, title, body, createdAtMs, updatedAtMs, characterCount } = fields;
  const isText = typeof id === "string" && typeof title === "string" && typeof body === "string";
  if (isText && isTime(createdAtMs) && isTime(updatedAtMs) && Number.isSafeInteger(characterCount)) return fields;
  throw new LoredexError("CORRUPT", `The stored article ${String(id)} lacks a field, or has one that it cannot have.`);
}

/** Checks stored creates with their idempotency keys. @throws LoredexError `CORRUPT` */
export function checkedCreates(stored: unknown): readonly RememberedCreate[] {
  // Boundary: the section's checksum has been verified; every field is checked here.
  const creates = stored as readonly RememberedCreate[];
  const isWhole = ({ key, body, id, createdAtMs, characterUsed }: Partial<RememberedCreate>): boolean =>
    [key, body, id].every((text) => typeof text === "string") &&
    isTime(createdAtMs ?? Number.NaN) &&
    isCount(characterUsed);
  if (Array.isArray(stored) && creates.every((create) => isWhole(fieldsOf(create)))) return creates;
  throw new LoredexError("CORRUPT", "The snapshot has idempotency keys that are none.");
}

/** Checks a stored document. @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT` for a type of a newer version */
export function checkedDocument(document: StoredDocument): StoredDocument {
  const { resourceDocId: id, type, url = "", metaData } = document;
  const isHead =
    [id, type, url].every((text) => typeof text === "string") && typeof metaData === "object" && metaData !== null;
  const isBody =
    type === "QNA"
      ? [document.question, document.answer, ...(document.alternatives ?? [])].every((text) => typeof text === "string")
      : Array.isArray(document.content) && document.content.every((block) => typeof block?.md === "string");
  if (isHead && isBody) {
    if ((IMPORTED_TYPES as readonly string[]).includes(type)) return document;
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `The stored document ${id} has the type "${type}", which this version of Loredex does not know. A newer version wrote it: use that one.`,
    );
  }
  throw new LoredexError("CORRUPT", `The stored document ${String(id)} lacks a field, or has one that it cannot have.`);
}

/** Checks the stored origin and time of a document. @throws LoredexError `CORRUPT` */
export function checkedOrigin({ origin, source, document, updatedAtMs = 0 }: OriginFields): void {
  const texts = [source, origin?.argument, origin?.path, origin?.digest];
  const isWhole = origin === undefined || Number.isSafeInteger(origin.source);
  const isGiven = isWhole && texts.every((text) => text === undefined || typeof text === "string");
  if (isGiven && isTime(updatedAtMs)) return;
  const what = isGiven ? "time" : "source";
  throw new LoredexError("CORRUPT", `The stored document ${document.resourceDocId} has a ${what} that is none.`);
}

interface OriginFields {
  readonly updatedAtMs?: number;
  readonly document: StoredDocument;
  readonly origin?: StoredOrigin;
  readonly source?: string;
}

/** Checks a stored record of an article. @throws LoredexError `CORRUPT` */
export function checkArticlePut({ kind, article, create }: RecordOf<"articlePut">): void {
  checkedArticle(article);
  if (create === undefined) return;
  const { key, body } = fieldsOf(create);
  requireWhole([key, body], kind);
}

/** Checks a stored record of a document. @throws LoredexError `CORRUPT` */
export function checkDocumentPut({ kind, document, source, updatedAtMs }: RecordOf<"documentPut">): void {
  checkedDocument(document);
  requireWhole([source ?? ""], kind);
  requireTime(updatedAtMs, kind);
}

/** Checks a stored record of a document with its origin. @throws LoredexError `CORRUPT` */
export function checkDocumentBrought(record: RecordOf<"documentBrought">): void {
  checkedDocument(record.document);
  requireOrigin(record);
  requireTime(record.updatedAtMs, record.kind);
}

/** Checks a stored record of a status. @throws LoredexError `CORRUPT` */
export function checkDocumentStatus({ kind, updatedAtMs }: RecordOf<"documentStatus">): void {
  requireTime(updatedAtMs, kind);
}

/** Checks a stored record of an origin. @throws LoredexError `CORRUPT` */
export function checkDocumentOrigin(record: RecordOf<"documentOrigin">): void {
  requireOrigin(record);
  requireWhole([record.id], record.kind);
}

/** Checks a stored record of a source's argument. @throws LoredexError `CORRUPT` */
export function checkSourceArgument(record: RecordOf<"sourceArgument">): void {
  const { kind, source, argument, takesOver = "", importedAtMs, report } = record;
  const end = {
    ...(importedAtMs === undefined ? {} : { importedAtMs }),
    ...(report === undefined ? {} : { report }),
  };
  requireWhole([source, takesOver], kind, [{ ...argument, ...end }]);
}

/** Checks a stored record of a source's new name. @throws LoredexError `CORRUPT` */
export function checkSourceMove({ kind, source, to, argument }: RecordOf<"sourceMove">): void {
  requireWhole([source, to], kind, [argument]);
}

/** Checks a stored record of a removed source. @throws LoredexError `CORRUPT` */
export function checkSourceRemove({ kind, source }: RecordOf<"sourceRemove">): void {
  requireWhole([source], kind);
}

/** Checks a stored record of a vocabulary. @throws LoredexError `CORRUPT` */
export function checkVocabularySet({ vocabulary }: RecordOf<"vocabularySet">): void {
  checkedVocabulary(vocabulary);
}

/** Checks a stored vocabulary. @throws LoredexError `CORRUPT` */
export function checkedVocabulary(stored: Vocabulary): Vocabulary {
  const { synonyms, pins, ignored } = fieldsOf(stored);
  const areTexts = (list: unknown): boolean => Array.isArray(list) && list.every((text) => typeof text === "string");
  const isPin = (pin: unknown): boolean => isFields(pin) && areTexts([pin.question, pin.document]);
  if (areTexts(synonyms) && areTexts(ignored) && Array.isArray(pins) && pins.every(isPin)) return stored;
  throw new LoredexError("CORRUPT", "The stored vocabulary lacks a field, or has one that it cannot have.");
}

function requireOrigin({ kind, origin }: RecordOf<"documentBrought" | "documentOrigin">): void {
  const { source, argument = "", path = "", digest = "" } = fieldsOf(origin);
  requireWhole([source, argument, path, digest], kind);
}

/** Fields of a value that should be an object; no fields if it is none. */
function fieldsOf<Fields extends object>(stored: Fields): Partial<Fields> {
  return typeof stored === "object" && stored !== null ? stored : {};
}

function requireWhole(texts: readonly unknown[], kind: string, places: readonly StoredArgument[] = []): void {
  const isWhole = texts.every((text) => typeof text === "string");
  if (isWhole && places.every(isArgument)) return;
  throw wrongRecord(kind);
}

/** Requires a time that a record may lack. */
function requireTime(updatedAtMs = 0, kind: string): void {
  if (!isTime(updatedAtMs)) throw wrongRecord(kind);
}

function wrongRecord(kind: string): LoredexError {
  return new LoredexError("CORRUPT", `A stored record (${kind}) lacks a field, or has one that it cannot have.`);
}

/** Checks a stored source. @throws LoredexError `CORRUPT` */
export function checkedSource(stored: unknown): StoredSource {
  // Boundary: the section's checksum has been verified; every field is checked here.
  const source = stored as StoredSource;
  const isHead = Number.isSafeInteger(source.id) && typeof source.name === "string" && Array.isArray(source.arguments);
  const isRest = source.rest === undefined || typeof source.rest === "string";
  const isHeir = source.heir === undefined || Number.isSafeInteger(source.heir);
  if (isHead && isRest && isHeir && source.arguments.every(isArgument)) return source;
  throw new LoredexError(
    "CORRUPT",
    `The stored source ${String(source.name)} lacks a field, or has one that it cannot have.`,
  );
}

function isArgument(stored: StoredArgument): boolean {
  const { name, kind, path, ids, importedAtMs, settings, report } = fieldsOf(stored);
  const isTimed = importedAtMs === undefined || isTime(importedAtMs);
  const isSet = settings === undefined || isFields(settings);
  const isReported =
    report === undefined || (isFields(report) && [report.problems, report.notes ?? []].every(Array.isArray));
  return isTimed && isSet && isReported && [name, kind, path, ids].every((text) => typeof text === "string");
}

/** Whether a Date can have this time. */
export function isTime(ms: number): boolean {
  return typeof ms === "number" && Math.abs(ms) <= LAST_MS;
}
