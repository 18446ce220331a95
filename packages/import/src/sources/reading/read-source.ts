import { readdir, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { glob as globbed } from "tinyglobby";
import {
  extensionsOf,
  FILE_KINDS,
  type ImportKind,
  KIND_BYTES,
  kindOfBytes,
  kindOfName,
  savedAs,
} from "../../convert/kinds.ts";
import { bytesOfFile, reasonOf, reasonOfPath } from "../../files/user-files.ts";
import type { FoundFile, Placement } from "../belonging/placing.ts";
import { type Glob, isJsonLines, pathInside, STDIN, type Target } from "../belonging/target.ts";
import { type FileReading, problemOf, readFileItems, type SourceItem } from "./read-file.ts";
import { readStdin } from "./read-stdin.ts";

/** How the files of an argument are read. */
export interface Reading extends FileReading {
  /** Finds the document and source that a file belongs to. */
  readonly place: (file: FoundFile) => Promise<Placement>;
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Number of files that are read ahead of the current one. */
  readonly ahead: number;
}

/** Reads an argument that is not an address: a file, a folder, the files of a pattern, or the standard input. */
export async function* readSource(target: Target, reading: Reading): AsyncGenerator<SourceItem> {
  yield* inOrder(worksOf(target, reading), reading.ahead);
}

function worksOf({ given: named, real, kind, glob }: Target, reading: Reading): AsyncGenerator<Work<SourceItem>> {
  if (glob !== undefined) return globWorks({ ...glob, real }, reading);
  if (kind === "folder") return folderWorks({ folder: named, inside: "", root: real }, reading);
  return real === STDIN ? stdinWorks(reading) : fileWorks(named, reading);
}

async function* fileWorks(path: string, reading: Reading): AsyncGenerator<Work<SourceItem>> {
  const kind = await kindOfNamed(path, reading.kind);
  if (kind.is !== undefined) yield* found({ path, inside: "", kind: kind.is }, reading);
  else yield* given({ kind: "problem", place: path, message: kind.problem });
}

/** Returns the kind of a directly named file, or why it has none. */
async function kindOfNamed(
  path: string,
  said: ImportKind | undefined,
): Promise<{ readonly is: ImportKind } | { readonly is?: undefined; readonly problem: string }> {
  const known = said ?? kindOf(path);
  if (known !== undefined) return { is: known };
  if (extname(path) !== "") {
    const kind = savedAs(path);
    const problem =
      kind === undefined
        ? `this kind of file cannot be imported; supported are ${supported()}; or say what it is (--kind)`
        : `${extname(path).toLowerCase()} files are not read; save it as ${kind}, then import that`;
    return { problem };
  }
  try {
    return { is: kindOfBytes(await beginningOf(path)) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

async function* stdinWorks(reading: Reading): AsyncGenerator<Work<SourceItem>> {
  const { stdin } = reading;
  const placed = await reading.place({ real: STDIN, inside: "" });
  if (placed.kind === "placed" && stdin !== undefined) yield () => readStdin(stdin, placed, reading);
  else yield* given({ kind: "problem", place: STDIN, message: "there is no standard input" });
}

/** Returns the paths from a folder to the matches of a pattern, sorted. Hidden files and node_modules match only if the pattern names them. */
export async function matchesOf(folder: string, pattern: string): Promise<string[]> {
  const ways = await globbed(pattern, {
    cwd: folder,
    dot: false,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: pattern.includes("node_modules") ? [] : ["**/node_modules/**"],
  });
  return ways.sort();
}

/** Yields the matches of a pattern. */
async function* globWorks(
  { folder, pattern, real }: Glob & { readonly real: string },
  reading: Reading,
): AsyncGenerator<Work<SourceItem>> {
  const ways = await matchesOf(real, pattern);
  if (ways.length === 0) {
    yield* given({ kind: "problem", place: `${folder}/${pattern}`, message: "no file matches it" });
  }
  for (const way of ways) {
    const path = join(folder, way);
    if (await isDirectory(path)) continue;
    const kind = reading.kind ?? kindOf(path);
    if (kind !== undefined) yield* found({ path, inside: way, kind, root: real }, reading);
    else yield* given({ kind: "passedOver", place: path, why: "kind", extension: extname(path) });
  }
}

async function* folderWorks(
  { folder, inside, root }: { readonly folder: string; readonly inside: string; readonly root: string },
  reading: Reading,
): AsyncGenerator<Work<SourceItem>> {
  let entries: Awaited<ReturnType<typeof listFolder>>;
  try {
    entries = await listFolder(folder);
  } catch (error) {
    yield* given({ kind: "problem", place: folder, message: reasonOfPath(folder, error) });
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const way = `${inside}${entry.name}`;
    // A link to a folder may form a cycle; a link to a file counts as a file.
    const isLinkedFolder = entry.isSymbolicLink() && (await isDirectory(path));
    const kind = isLinkedFolder ? undefined : kindOf(path);
    if (entry.isDirectory()) yield* folderWorks({ folder: path, inside: `${way}/`, root }, reading);
    else if (kind !== undefined) yield* found({ path, inside: way, kind, root }, reading);
    else if (isLinkedFolder) yield* given({ kind: "passedOver", place: path, why: "kind" });
    else yield* given({ kind: "passedOver", place: path, why: "kind", extension: extname(path) });
  }
}

interface FileInFolder {
  readonly path: string;
  readonly inside: string;
  readonly kind: ImportKind;
  /** The real path of the named folder, which no link may leave; absent for a file that was named directly. */
  readonly root?: string;
}

/** Places a file before any later one: the first path to a file imports it. */
async function* found({ path, inside, kind, root }: FileInFolder, reading: Reading): AsyncGenerator<Work<SourceItem>> {
  let real: string;
  try {
    real = await realpath(path);
  } catch (error) {
    yield* given({ kind: "problem", place: path, message: reasonOfPath(path, error) });
    return;
  }
  if (root !== undefined && pathInside(root, real) === undefined) {
    yield* given({ kind: "linkedOut", place: path, file: real });
    return;
  }
  // An error here has nothing to do with this file: it ends the import.
  const placed = await reading.place({ real, inside });
  if (placed.kind === "again") return;
  if (placed.kind === "refused") yield* given(problemOf(new Error(placed.message), { path, real }));
  else yield () => readFileItems({ path, real, kind, placed }, reading);
}

function* given(item: SourceItem): Generator<Work<SourceItem>> {
  yield async () => [item];
}

async function beginningOf(path: string): Promise<Uint8Array> {
  for await (const bytes of bytesOfFile(path)) return bytes.subarray(0, KIND_BYTES);
  return new Uint8Array();
}

/** Returns the kind of a path; undefined if it cannot be imported. */
export function kindOf(path: string): ImportKind | undefined {
  return isJsonLines(path) ? "jsonl" : kindOfName(path);
}

function supported(): string {
  return `${extensionsOf(FILE_KINDS)} and .jsonl, as files or in folders`;
}

/**
 * True if an import reads the target of a link or match in the folder: no folder, and no file outside `root`. A link without a target counts, so that the
 * import reports it.
 * @param root the folder's real path
 */
export async function leadsToOwnFile(path: string, root: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return true;
  return pathInside(root, real) !== undefined && !(await isDirectory(real));
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

/** A piece of work. It begins when it is called, and must not reject. */
type Work<Item> = () => Promise<Iterable<Item> | AsyncIterable<Item>>;

/** Yields the results of pieces of work in their order, while up to `ahead` later pieces run already. */
async function* inOrder<Item>(works: AsyncIterable<Work<Item>>, ahead: number): AsyncGenerator<Item> {
  const running: ReturnType<Work<Item>>[] = [];
  for await (const work of works) {
    running.push(work());
    const first = running.length > ahead ? running.shift() : undefined;
    if (first !== undefined) yield* await first;
  }
  for (const work of running) yield* await work;
}
