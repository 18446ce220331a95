import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { CONVERTERS } from "../convert/converters.ts";
import { extensionsOf, FILE_KINDS, kindOfName } from "../convert/kinds.ts";
import { reasonOf } from "../files/user-files.ts";
import { inOrder, type Work } from "./in-order.ts";
import type { FoundFile, Placement } from "./placing.ts";
import { type FileReading, type ImportKind, problemOf, readFileItems, type SourceItem } from "./read-file.ts";
import { isJsonLines, type Target } from "./target.ts";

/** How the files of an argument are read. */
export interface Reading extends FileReading {
  /** Whose documents a file has. */
  readonly place: (file: FoundFile) => Promise<Placement>;
  /** So many files are read ahead of the one whose documents are brought. */
  readonly ahead: number;
}

/** Reads one argument of an import: a file or a folder. */
export async function* readSource({ given, kind }: Target, reading: Reading): AsyncGenerator<SourceItem> {
  const works = kind === "folder" ? folderWorks(given, "", reading) : fileWorks(given, reading);
  yield* inOrder(works, reading.ahead);
}

async function* fileWorks(path: string, reading: Reading): AsyncGenerator<Work<SourceItem>> {
  const kind = kindOf(path);
  if (kind !== undefined) yield* found({ path, inside: "", kind }, reading);
  else {
    const message = `this kind of file cannot be imported; supported are ${supported()}`;
    yield* given({ kind: "problem", place: path, message });
  }
}

async function* folderWorks(folder: string, inside: string, reading: Reading): AsyncGenerator<Work<SourceItem>> {
  let entries: Awaited<ReturnType<typeof listFolder>>;
  try {
    entries = await listFolder(folder);
  } catch (error) {
    yield* given({ kind: "problem", place: folder, message: reasonOf(error) });
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const way = `${inside}${entry.name}`;
    // A link to a folder may lead in a circle; one to a file is a file.
    const isLinkedFolder = entry.isSymbolicLink() && (await isDirectory(path));
    const kind = isLinkedFolder ? undefined : kindOf(path);
    if (entry.isDirectory()) yield* folderWorks(path, `${way}/`, reading);
    else if (kind !== undefined) yield* found({ path, inside: way, kind }, reading);
    else yield* given({ kind: "passedOver", place: path });
  }
}

/** A file whose place is found before any later one's: the first that leads to it brings it. */
async function* found(
  { path, inside, kind }: { readonly path: string; readonly inside: string; readonly kind: ImportKind },
  reading: Reading,
): AsyncGenerator<Work<SourceItem>> {
  let real: string;
  try {
    real = await realpath(path);
  } catch (error) {
    yield* given({ kind: "problem", place: path, message: reasonOf(error) });
    return;
  }
  // What fails here is no matter of this file: it ends the import.
  const placed = await reading.place({ real, inside });
  if (placed.kind === "again") return;
  if (placed.kind === "refused") yield* given(problemOf(new Error(placed.message), { path, real }));
  else yield () => readFileItems({ path, real, kind, placed }, reading);
}

function* given(item: SourceItem): Generator<Work<SourceItem>> {
  yield async () => [item];
}

/** Undefined for what cannot be imported. */
export function kindOf(path: string): ImportKind | undefined {
  if (isJsonLines(path)) return "jsonl";
  const kind = kindOfName(path);
  return kind === undefined || CONVERTERS[kind] === undefined ? undefined : kind;
}

function supported(): string {
  const kinds = FILE_KINDS.filter((kind) => CONVERTERS[kind] !== undefined);
  return `${extensionsOf(kinds)} and .jsonl, as files or in folders`;
}

export async function listFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const seen = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
  return seen.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (there) => there.isDirectory(),
    () => false,
  );
}
