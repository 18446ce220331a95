import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ContentDocumentInput, DocumentOrigin } from "@loredex/core";
import { type Conversion, ConversionError } from "../../convert/conversion.ts";
import { isOwnKind } from "../../convert/converters.ts";
import type { FileKind, ImportKind } from "../../convert/kinds.ts";
import { type JsonLine, readJsonLines } from "../../files/json-lines.ts";
import { reasonOfPath } from "../../files/user-files.ts";
import type { FileToConvert } from "../../isolated/messages.ts";
import { LINE_BYTES_MAX } from "../../limits.ts";
import type { PassedOverReason } from "../../web/passed-over.ts";
import type { KnownDocument } from "../belonging/brought-files.ts";
import type { Placed } from "../belonging/placing.ts";
import { requireSize } from "./conversions.ts";
import { bytesOf, documentsOf } from "./converted-documents.ts";
import { digestOf, keptDigest, stillKnown } from "./file-digest.ts";
import { notesIn } from "./note-mark.ts";

export type { PassedOverReason };

/** An item of a source: a document to import, or a problem. */
export type SourceItem =
  | FoundDocument
  /** Documents of a file that has not changed since its import, with the number of its notes. */
  | { readonly kind: "unchanged"; readonly ids: readonly string[]; readonly file: string; readonly notes: number }
  /** `file` is the real path of a file that was not fully read. */
  | { readonly kind: "problem"; readonly place: string; readonly message: string; readonly file?: string }
  /** A file or page that is not imported; a file has its extension. */
  | { readonly kind: "passedOver"; readonly place: string; readonly why: PassedOverReason; readonly extension?: string }
  /** A link in a folder that leads out of it, to the real path `file`: the user did not name that file. */
  | { readonly kind: "linkedOut"; readonly place: string; readonly file: string }
  /** A file that its owner marked as unfinished. */
  | { readonly kind: "draft"; readonly place: string }
  /** Another note for the owner, in one line; `file` is set if it is about a file or a page. */
  | { readonly kind: "note"; readonly place: string; readonly message: string; readonly file?: string };

export interface FoundDocument {
  readonly kind: "document";
  readonly document: unknown;
  readonly origin: DocumentOrigin;
  /** The file's real path, or the page's address. */
  readonly file: string;
  readonly place: string;
  readonly bytes: number;
}

/** How files are read. */
export interface FileReading {
  /** Type of markdown files. */
  readonly type: ContentDocumentInput["type"];
  /** Kind of directly named files. Default: by name, else by their bytes. */
  readonly kind?: ImportKind;
  /** The declared encoding. */
  readonly encoding?: string;
  /** Also imports unfinished files. */
  readonly drafts: boolean;
  /** Returns the documents that a file has brought. */
  readonly knownAt: (real: string) => readonly KnownDocument[];
  /** True if the notes of a file, given by their mark, were reported. A file with unreported notes is converted again. Default: true. */
  readonly isSaid?: (real: string, noteMark: string) => boolean;
  /** @throws ConversionError */
  readonly convert: (file: FileToConvert) => Promise<Conversion>;
}

/** A found file, with its document and source. */
export interface FileToRead {
  /** Its path in messages. */
  readonly path: string;
  readonly real: string;
  readonly kind: ImportKind;
  readonly placed: Placed;
}

/** Reads the items of a file. Never rejects: a problem with the file is one of its items. */
export async function readFileItems(
  file: FileToRead,
  reading: FileReading,
): Promise<Iterable<SourceItem> | AsyncIterable<SourceItem>> {
  try {
    return file.kind === "jsonl" ? await linesOf(file) : await convertedItems(file, file.kind, reading);
  } catch (error) {
    return [problemOf(error, file)];
  }
}

/** Returns the problem of a file as an item. */
export function problemOf(error: unknown, { path, real }: Pick<FileToRead, "path" | "real">): SourceItem {
  const line = error instanceof ConversionError && error.line !== undefined ? `:${error.line}` : "";
  return { kind: "problem", place: `${path}${line}`, message: reasonOfPath(path, error), file: real };
}

async function linesOf(file: FileToRead): Promise<AsyncIterable<SourceItem>> {
  await requireFile(file.path);
  return readLines(file);
}

function readLines(file: FileToRead): AsyncIterable<SourceItem> {
  return itemsOfLines(readJsonLines(file.path, LINE_BYTES_MAX), file);
}

/** Yields the documents of .jsonl lines. */
export async function* itemsOfLines(
  lines: AsyncIterable<JsonLine>,
  { path, real, placed: { origin } }: Omit<FileToRead, "kind">,
): AsyncGenerator<SourceItem> {
  try {
    for await (const line of lines) {
      const place = `${path}:${line.line}`;
      if ("problem" in line) yield { kind: "problem", place, message: line.problem, file: real };
      else yield { kind: "document", document: line.value, origin, file: real, place, bytes: line.bytes };
    }
  } catch (error) {
    yield problemOf(error, { path, real });
  }
}

async function convertedItems(file: FileToRead, kind: FileKind, reading: FileReading): Promise<SourceItem[]> {
  const { size } = await requireFile(file.path);
  requireSize(size, kind);
  const { type, drafts, encoding } = reading;
  const name = basename(file.path);
  // Our own kinds are read as fast as their digest is computed.
  const digest = isOwnKind(kind) ? undefined : await digestOf(file.path, { name, kind, type, drafts, encoding });
  const known = reading.knownAt(file.real);
  const still = digest === undefined ? undefined : stillKnown(known, digest, file.placed);
  if (still !== undefined && reading.isSaid?.(file.real, still.noteMark) !== false) {
    return [{ kind: "unchanged", ids: still.ids, file: file.real, notes: notesIn(still.noteMark) }];
  }
  const conversion = await reading.convert({ path: file.real, name, kind, type, ...charsetOf(reading) });
  return itemsOf(conversion, file, { drafts, ...(digest === undefined ? {} : { digest }) });
}

/** Returns the encoding as an option for converters. */
export function charsetOf({ encoding }: Pick<FileReading, "encoding">): { readonly charset?: string } {
  return encoding === undefined ? {} : { charset: encoding };
}

/** Returns the items of a converted file. */
export function itemsOf(
  conversion: Conversion,
  { path, real, placed: { id, origin } }: Omit<FileToRead, "kind">,
  { drafts, digest }: { readonly drafts: boolean; readonly digest?: string },
): SourceItem[] {
  if (conversion.isDraft === true && !drafts) return [{ kind: "draft", place: path }];
  const { documents, notes } = documentsOf(conversion, id);
  const brought = digest === undefined ? origin : { ...origin, digest: keptDigest(digest, documents.length, notes) };
  return [
    ...notes.map((message): SourceItem => ({ kind: "note", place: path, message, file: real })),
    ...documents.map(
      (document): SourceItem => ({
        kind: "document",
        document,
        origin: brought,
        file: real,
        place: path,
        bytes: bytesOf(document),
      }),
    ),
  ];
}

/** A pipe or a device could be read for ever. */
async function requireFile(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error("this is no file");
  return found;
}
