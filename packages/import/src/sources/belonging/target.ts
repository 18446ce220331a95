import { realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { ArgumentKind, ArgumentPlace } from "@loredex/core";
import { isDynamicPattern } from "tinyglobby";
import { ADDRESS_CHARACTERS_MAX } from "../../web/limits.ts";
import { isAddress, pageAddress } from "../../web/page-address.ts";

/** What an argument of an import points at. */
export interface Target {
  /** As it was given. */
  readonly given: string;
  /** Absolute and without links, or the one way to write an address: by it they are known again, however they are named. */
  readonly real: string;
  readonly kind: ArgumentKind;
  /** Its last name as it was given; all of an address. */
  readonly base: string;
  /** Only the files of the folder that this pattern matches. */
  readonly glob?: Glob;
}

export interface Glob {
  /** The folder as it was given. */
  readonly folder: string;
  /** From the folder on, with `/`. */
  readonly pattern: string;
}

/** The argument that stands for the standard input, and its place in a source: it has no path. */
export const STDIN = "-";

/** @throws Error of the file system, or one that says what is wrong with an address */
export async function targetOf(given: string): Promise<Target> {
  if (isAddress(given)) return addressTarget(given);
  if (given === STDIN) return { given, real: STDIN, kind: "file", base: "stdin" };
  const glob = (await isGone(given)) ? await globOf(given) : undefined;
  return glob === undefined ? pathTarget(given, given) : globTarget(given, glob);
}

/**
 * The same of an argument that was imported before: its path is a path, whatever it looks like.
 * @throws Error of the file system, or one that says what is wrong with an address
 */
export async function targetOfArgument(argument: ArgumentPlace): Promise<Target> {
  const { kind, path } = argument;
  const [given, pattern] = [keyOfArgument(argument), patternOf(argument)];
  if (kind === "address") return addressTarget(path);
  return pattern === undefined ? pathTarget(given, path) : globTarget(given, { folder: path, pattern });
}

async function pathTarget(given: string, path: string): Promise<Target> {
  const [real, found] = await Promise.all([realpath(path), stat(path)]);
  return { given, real, kind: found.isDirectory() ? "folder" : "file", base: basename(resolve(path)) || "root" };
}

async function globTarget(given: string, glob: Glob): Promise<Target> {
  const real = await realpath(glob.folder);
  return { given, real, kind: "folder", base: basename(resolve(glob.folder)) || "root", glob };
}

/** What a system says of paths. */
interface PathSystem {
  readonly separator: string;
  readonly isThere: (path: string) => Promise<boolean>;
}

const OWN_SYSTEM: PathSystem = { separator: sep, isThere: async (path) => !(await isGone(path)) };

/**
 * The folder that the plain beginning of a pattern names, and the rest; undefined for what is no pattern. A folder that is there by a name with
 * brackets is meant by that: where the backslash divides names, nothing could be put before a bracket to say so.
 */
export async function globOf(given: string, { separator, isThere } = OWN_SYSTEM): Promise<Glob | undefined> {
  const parts = (separator === "/" ? given : given.replaceAll(separator, "/")).split("/");
  const plain: string[] = [];
  for (const part of parts) {
    const path = [...plain, part].join("/");
    if (isDynamicPattern(part) && (/[*?]/.test(part) || !(await isThere(path)))) break;
    plain.push(isDynamicPattern(part) ? part : unescaped(part));
  }
  const rest = parts.slice(plain.length);
  if (rest.length === 0 || given.startsWith("!") || rest.includes("..")) return undefined;
  return { folder: plain.length === 0 ? "." : folderOf(plain.join("/"), separator), pattern: rest.join("/") };
}

/** The root of a disk has its slash: a disk's name alone is the folder that a program has last been in there. */
function folderOf(path: string, separator: string): string {
  const isDisk = separator === "\\" && /^[a-z]:$/i.test(path);
  return isDisk || path === "" ? `${path}/` : path;
}

/** As a path has it: a mark of patterns that stands for itself has a backslash before it. */
function unescaped(part: string): string {
  return part.replace(/\\([()[\]{}!*?@+|])/g, "$1");
}

/** By what a target is known in a source, and is a source of its own: its path, with the pattern of what is brought from there. */
export function keyOfTarget({ real, glob }: Target): string {
  return glob === undefined ? real : `${real}/${glob.pattern}`;
}

/** The same of an argument that a bot keeps. */
export function keyOfArgument(argument: ArgumentPlace): string {
  const pattern = patternOf(argument);
  return pattern === undefined ? argument.path : `${argument.path}/${pattern}`;
}

export function isGlob(argument: ArgumentPlace): boolean {
  return patternOf(argument) !== undefined;
}

/** The pattern of the files that are brought from the argument's folder; undefined where all are. */
export function patternOf({ settings }: ArgumentPlace): string | undefined {
  const pattern = settings?.[GLOB];
  return typeof pattern === "string" ? pattern : undefined;
}

/** A pattern's name among the settings that a bot keeps of an argument. */
export const GLOB = "glob";

function addressTarget(given: string): Target {
  const real = pageAddress(given);
  if (real !== undefined) return { given, real, kind: "address", base: real };
  throw new Error(
    `this is no address that can be imported: it has no host, or a name and password, or more than ${ADDRESS_CHARACTERS_MAX} characters`,
  );
}

/** Whether there is nothing at this path any more. */
export async function isGone(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) =>
      error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"),
  );
}

/** The way from a folder to what is in it, with `/`, empty for itself; undefined for what is elsewhere. */
export function pathInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep).join("/");
}

/** Its documents say their ids themselves. */
export function isJsonLines(path: string): boolean {
  return [".jsonl", ".ndjson"].includes(extname(path).toLowerCase());
}
