import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type ContentDocumentInput, DOCUMENT_BYTES_MAX, type DocumentOrigin } from "@loredex/core";
import { ConversionError } from "../convert/conversion.ts";
import { convertMarkdown } from "../convert/markdown/markdown-file.ts";
import { readJsonLines } from "../files/json-lines.ts";
import { reasonOf } from "../files/user-files.ts";
import type { FoundFile, Placed, Placement } from "./placing.ts";
import { isJsonLines, isMarkdown, type Target } from "./target.ts";

/** What a source yields: a document to import, or what kept one from being read. */
export type SourceItem =
  | FoundDocument
  | { readonly kind: "problem"; readonly place: string; readonly message: string }
  /** Something in a folder or a site that is not imported. */
  | { readonly kind: "passedOver"; readonly place: string }
  /** What else its owner wants to know, in a line. */
  | { readonly kind: "note"; readonly place: string; readonly message: string };

export interface FoundDocument {
  readonly kind: "document";
  readonly document: unknown;
  readonly origin: DocumentOrigin;
  /** The file's real path, or the page's address. */
  readonly file: string;
  readonly place: string;
  readonly bytes: number;
}

const SUPPORTED = "markdown (.md, .markdown) and JSON lines (.jsonl), as files or in folders";

/** JSON takes some bytes more than the text that it holds. */
export const LINE_BYTES_MAX = DOCUMENT_BYTES_MAX * 2;

/** How the files of an argument are read. */
export interface Reading {
  /** Of markdown files. */
  readonly type: ContentDocumentInput["type"];
  /** Whose documents a file has. */
  readonly place: (file: FoundFile) => Promise<Placement>;
}

/** Reads one argument of an import: a file or a folder. */
export async function* readSource({ given, kind }: Target, reading: Reading): AsyncGenerator<SourceItem> {
  if (kind === "folder") yield* readFolder(given, "", reading);
  else if (isSupported(given)) yield* readOne(given, "", reading);
  else {
    const message = `this kind of file cannot be imported; supported are ${SUPPORTED}`;
    yield { kind: "problem", place: given, message };
  }
}

async function* readFolder(folder: string, inside: string, reading: Reading): AsyncGenerator<SourceItem> {
  let entries: Awaited<ReturnType<typeof listFolder>>;
  try {
    entries = await listFolder(folder);
  } catch (error) {
    yield { kind: "problem", place: folder, message: reasonOf(error) };
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const way = `${inside}${entry.name}`;
    // A link to a folder may lead in a circle; one to a file is a file.
    const isLinkedFolder = entry.isSymbolicLink() && (await isDirectory(path));
    if (entry.isDirectory()) yield* readFolder(path, `${way}/`, reading);
    else if (!isLinkedFolder && isSupported(path)) yield* readOne(path, way, reading);
    else yield { kind: "passedOver", place: path };
  }
}

async function* readOne(path: string, inside: string, reading: Reading): AsyncGenerator<SourceItem> {
  let real: string;
  try {
    real = await realpath(path);
  } catch (error) {
    yield { kind: "problem", place: path, message: reasonOf(error) };
    return;
  }
  // What fails here is no matter of this file: it ends the import.
  const placement = await reading.place({ real, inside });
  if (placement.kind === "again") return;
  try {
    if (placement.kind === "refused") throw new Error(placement.message);
    const { size } = await requireFile(path);
    if (isJsonLines(path)) yield* readLines(path, real, placement.origin);
    else yield await readMarkdown(path, size, real, placement, reading.type);
  } catch (error) {
    const place = error instanceof ConversionError && error.line !== undefined ? `${path}:${error.line}` : path;
    yield { kind: "problem", place, message: reasonOf(error) };
  }
}

async function* readLines(path: string, file: string, origin: DocumentOrigin): AsyncGenerator<SourceItem> {
  for await (const line of readJsonLines(path, LINE_BYTES_MAX)) {
    const place = `${path}:${line.line}`;
    if ("problem" in line) yield { kind: "problem", place, message: line.problem };
    else yield { kind: "document", document: line.value, origin, file, place, bytes: line.bytes };
  }
}

async function readMarkdown(
  path: string,
  size: number,
  file: string,
  { id, origin }: Placed,
  type: Reading["type"],
): Promise<SourceItem> {
  if (size > DOCUMENT_BYTES_MAX) {
    throw new Error(`the file has more than ${DOCUMENT_BYTES_MAX / 1_048_576} MiB; divide it into several`);
  }
  const bytes = await readFile(path);
  const { page } = await convertMarkdown({ bytes, name: basename(path), kind: "markdown", type });
  const document = { ...page, resourceDocId: id };
  return { kind: "document", document, origin, file, place: path, bytes: bytes.length };
}

/** Reading a pipe or a device could wait for ever. */
async function requireFile(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error("this is no file");
  return found;
}

async function listFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isSupported(path: string): boolean {
  return isJsonLines(path) || isMarkdown(path);
}
