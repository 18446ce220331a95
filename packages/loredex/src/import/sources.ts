import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { type ContentDocumentInput, DOCUMENT_BYTES_MAX } from "@loredex/core";
import { reasonOf } from "../user-files.ts";
import { FrontMatterError } from "./front-matter.ts";
import { readJsonLines } from "./json-lines.ts";
import { markdownDocument } from "./markdown-file.ts";

/** What a source yields: a document to import, or what kept one from being read. */
export type SourceItem =
  | { readonly kind: "document"; readonly document: unknown; readonly place: string; readonly bytes: number }
  | { readonly kind: "problem"; readonly place: string; readonly message: string }
  /** Something in a folder that is of no kind that can be imported. */
  | { readonly kind: "passedOver"; readonly place: string };

const MARKDOWN = new Set([".md", ".markdown"]);
const JSON_LINES = ".jsonl";
const SUPPORTED = "markdown (.md, .markdown) and JSON lines (.jsonl), as files or in folders";

/** JSON takes some bytes more than the text that it holds. */
const LINE_BYTES_MAX = DOCUMENT_BYTES_MAX * 2;

/**
 * What names the documents that an argument brings. A folder is the same wherever it lies, for the ids of its files begin
 * with its name; a .jsonl file says nothing about its ids, so only the one at the same place is the same.
 */
export function sourceName(argument: string): string {
  const path = resolve(argument);
  return `file:${isJsonLines(path) ? path : basename(path)}`;
}

/** One argument of an import that is being read. */
interface Reading {
  /** What ids are relative to. */
  readonly root: string;
  readonly type: ContentDocumentInput["type"];
}

/** Reads one argument of an import: a file or a folder. */
export async function* readSource(argument: string, type: ContentDocumentInput["type"]): AsyncGenerator<SourceItem> {
  const problem = (message: string): SourceItem => ({ kind: "problem", place: argument, message });
  if (/^https?:\/\//i.test(argument)) {
    yield problem(`addresses cannot be imported; supported are ${SUPPORTED}`);
    return;
  }
  const reading = { root: dirname(resolve(argument)), type };
  try {
    const found = await stat(argument);
    if (found.isDirectory()) yield* readFolder(argument, reading);
    else if (isSupported(argument)) yield* readOne(argument, reading);
    else yield problem(`this kind of file cannot be imported; supported are ${SUPPORTED}`);
  } catch (error) {
    yield problem(reasonOf(error));
  }
}

async function* readFolder(folder: string, reading: Reading): AsyncGenerator<SourceItem> {
  let entries: Awaited<ReturnType<typeof listFolder>>;
  try {
    entries = await listFolder(folder);
  } catch (error) {
    yield { kind: "problem", place: folder, message: reasonOf(error) };
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A link to a folder may lead in a circle; one to a file is a file.
    const isLinkedFolder = entry.isSymbolicLink() && (await isDirectory(path));
    if (entry.isDirectory()) yield* readFolder(path, reading);
    else if (!isLinkedFolder && isSupported(path)) yield* readOne(path, reading);
    else yield { kind: "passedOver", place: path };
  }
}

async function* readOne(path: string, reading: Reading): AsyncGenerator<SourceItem> {
  try {
    const { size } = await requireFile(path);
    if (isJsonLines(path)) yield* readLines(path);
    else yield await readMarkdown(path, size, reading);
  } catch (error) {
    const place = error instanceof FrontMatterError ? `${path}:${error.line}` : path;
    yield { kind: "problem", place, message: reasonOf(error) };
  }
}

async function* readLines(path: string): AsyncGenerator<SourceItem> {
  for await (const line of readJsonLines(path, LINE_BYTES_MAX)) {
    const place = `${path}:${line.line}`;
    if ("problem" in line) yield { kind: "problem", place, message: line.problem };
    else yield { kind: "document", document: line.value, place, bytes: line.bytes };
  }
}

async function readMarkdown(path: string, size: number, { root, type }: Reading): Promise<SourceItem> {
  if (size > DOCUMENT_BYTES_MAX) {
    throw new Error(`the file has more than ${DOCUMENT_BYTES_MAX / 1_048_576} MiB; divide it into several`);
  }
  const bytes = await readFile(path);
  const id = `file:${relative(root, resolve(path)).split(sep).join("/")}`;
  const document = markdownDocument(decoded(bytes), { id, path, type });
  return { kind: "document", document, place: path, bytes: bytes.length };
}

/** The text without a mark at its beginning (BOM). */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("the file is no valid UTF-8", { cause });
  }
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
  return isJsonLines(path) || MARKDOWN.has(extname(path).toLowerCase());
}

function isJsonLines(path: string): boolean {
  return extname(path).toLowerCase() === JSON_LINES;
}
