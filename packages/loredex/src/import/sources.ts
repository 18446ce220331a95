import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { ContentDocumentInput } from "@loredex/core";
import { DOCUMENT_BYTES_MAX } from "@loredex/core";
import { FrontMatterError } from "./front-matter.ts";
import { readJsonLines } from "./json-lines.ts";
import { markdownDocument } from "./markdown-file.ts";

/** What a source yields: a document to import, or what kept one from being read. */
export type SourceItem =
  | { readonly kind: "document"; readonly document: unknown; readonly place: string }
  | { readonly kind: "problem"; readonly place: string; readonly message: string }
  /** A file in a folder that is of no kind that can be imported. */
  | { readonly kind: "passedOver"; readonly place: string };

const MARKDOWN = new Set([".md", ".markdown"]);
const JSON_LINES = new Set([".jsonl", ".ndjson"]);
const SUPPORTED = "markdown (.md, .markdown) and JSON lines (.jsonl), as files or in folders";

/** JSON takes at most six bytes for a byte of text. */
const LINE_BYTES_MAX = DOCUMENT_BYTES_MAX * 2;

/** What names the documents that an argument brings: the same for the same folder, wherever it lies. */
export function sourceName(argument: string): string {
  return `file:${basename(resolve(argument))}`;
}

/** Reads one argument of an import: a file or a folder. */
export async function* readSource(argument: string, type: ContentDocumentInput["type"]): AsyncGenerator<SourceItem> {
  if (/^https?:\/\//i.test(argument)) {
    yield { kind: "problem", place: argument, message: `addresses cannot be imported; supported are ${SUPPORTED}` };
    return;
  }
  const path = resolve(argument);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    yield {
      kind: "problem",
      place: argument,
      message: found.code === "ENOENT" ? "no such file or folder" : found.message,
    };
    return;
  }
  const root = dirname(path);
  if (found.isDirectory()) yield* readFolder(path, root, type);
  else if (isSupported(path)) yield* readOne(path, root, type);
  else
    yield {
      kind: "problem",
      place: argument,
      message: `this kind of file cannot be imported; supported are ${SUPPORTED}`,
    };
}

async function* readFolder(
  folder: string,
  root: string,
  type: ContentDocumentInput["type"],
): AsyncGenerator<SourceItem> {
  let entries: Awaited<ReturnType<typeof listFolder>>;
  try {
    entries = await listFolder(folder);
  } catch (error) {
    yield { kind: "problem", place: folder, message: `the folder cannot be read: ${messageOf(error)}` };
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(path)));
    // A link to a folder may lead in a circle.
    if (isFolder && entry.isSymbolicLink()) yield { kind: "passedOver", place: path };
    else if (isFolder) yield* readFolder(path, root, type);
    else if (isSupported(path)) yield* readOne(path, root, type);
    else yield { kind: "passedOver", place: path };
  }
}

async function* readOne(path: string, root: string, type: ContentDocumentInput["type"]): AsyncGenerator<SourceItem> {
  try {
    if (JSON_LINES.has(extname(path).toLowerCase())) {
      for await (const line of readJsonLines(path, LINE_BYTES_MAX)) {
        const place = `${path}:${line.line}`;
        if ("problem" in line) yield { kind: "problem", place, message: line.problem };
        else yield { kind: "document", document: line.value, place };
      }
      return;
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
    const id = `file:${relative(root, path).replaceAll("\\", "/")}`;
    yield { kind: "document", document: markdownDocument(text, { id, path, type }), place: path };
  } catch (error) {
    const place = error instanceof FrontMatterError ? `${path}:${error.line}` : path;
    const message = error instanceof TypeError ? "the file is no valid UTF-8" : messageOf(error);
    yield { kind: "problem", place, message };
  }
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
  const extension = extname(path).toLowerCase();
  return MARKDOWN.has(extension) || JSON_LINES.has(extension);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
