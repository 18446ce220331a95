import { realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { ArgumentKind, ArgumentPlace } from "@loredex/core";
import { isDynamicPattern } from "tinyglobby";
import { ADDRESS_CHARACTERS_MAX } from "../../web/limits.ts";
import { isAddress, pageAddress } from "../../web/page-address.ts";

/** The target of an import's argument. */
export interface Target {
  /** As it was given. */
  readonly given: string;
  /** Absolute path without links, or the normalized address. It identifies the target, however it is named. */
  readonly real: string;
  readonly kind: ArgumentKind;
  /** Its last name as given; for an address, all of it. */
  readonly base: string;
  /** Restricts the folder to files that match this pattern. */
  readonly glob?: Glob;
}

export interface Glob {
  /** The folder as it was given. */
  readonly folder: string;
  /** The pattern relative to the folder, with `/`. */
  readonly pattern: string;
}

/** The argument for the standard input, and its path in a source: it has no other. */
export const STDIN = "-";

/** The beginning of the path of an uploaded file. No real path begins so, since real paths are absolute. */
const UPLOADED = "upload:/";

/** The path of an uploaded file in a source: its name is all that is known of its place. */
export function uploadedPath(name: string): string {
  return `${UPLOADED}${name}`;
}

/** True for an argument that can be read again: not for the standard input, and not for an upload. */
export function hasPlace({ path }: Pick<ArgumentPlace, "path">): boolean {
  return path !== STDIN && !path.startsWith(UPLOADED);
}

/** @throws Error of the file system, or one on an invalid address */
export async function targetOf(given: string): Promise<Target> {
  if (isAddress(given)) return addressTarget(given);
  if (given === STDIN) return { given, real: STDIN, kind: "file", base: "stdin" };
  const glob = (await isGone(given)) ? await globOf(given) : undefined;
  return glob === undefined ? pathTarget(given, given) : globTarget(given, glob);
}

/**
 * Returns the target of an argument that was imported before. Its path is read as a path, even if it resembles a pattern or an address.
 * @throws Error of the file system, or one on an invalid address
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

/** Path rules of an operating system. */
interface PathSystem {
  readonly separator: string;
  readonly isThere: (path: string) => Promise<boolean>;
}

const OWN_SYSTEM: PathSystem = { separator: sep, isThere: async (path) => !(await isGone(path)) };

/**
 * Splits a pattern into its plain folder and the rest; undefined if it is no pattern. An existing folder with brackets in its name is meant as a folder: where
 * the backslash separates names, brackets cannot be escaped.
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

/** A disk's root needs its slash: the disk's name alone is the program's last folder on that disk. */
function folderOf(path: string, separator: string): string {
  const isDisk = separator === "\\" && /^[a-z]:$/i.test(path);
  return isDisk || path === "" ? `${path}/` : path;
}

/** Removes backslashes before escaped pattern characters. */
function unescaped(part: string): string {
  return part.replace(/\\([()[\]{}!*?@+|])/g, "$1");
}

/** Returns the key of a target in a source, and as a source of its own: its path, with its pattern. */
export function keyOfTarget({ real, glob }: Target): string {
  return glob === undefined ? real : `${real}/${glob.pattern}`;
}

/** Returns the key of an argument that a bot keeps. */
export function keyOfArgument(argument: ArgumentPlace): string {
  const pattern = patternOf(argument);
  return pattern === undefined ? argument.path : `${argument.path}/${pattern}`;
}

export function isGlob(argument: ArgumentPlace): boolean {
  return patternOf(argument) !== undefined;
}

/** The pattern that restricts the argument's folder; undefined if all files are imported. */
export function patternOf({ settings }: ArgumentPlace): string | undefined {
  const pattern = settings?.[GLOB];
  return typeof pattern === "string" ? pattern : undefined;
}

/** The setting that holds the pattern of an argument. */
export const GLOB = "glob";

function addressTarget(given: string): Target {
  const real = pageAddress(given);
  if (real !== undefined) return { given, real, kind: "address", base: real };
  throw new Error(
    `this is no address that can be imported: it has no host, or a name and password, or more than ${ADDRESS_CHARACTERS_MAX} characters`,
  );
}

/** True if nothing exists at this path any more. */
export async function isGone(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) =>
      error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"),
  );
}

/** Returns the path from a folder to a path in it, with `/`; empty for the folder itself, undefined for paths outside. */
export function pathInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep).join("/");
}

/** True for files whose documents have their own ids. */
export function isJsonLines(path: string): boolean {
  return [".jsonl", ".ndjson"].includes(extname(path).toLowerCase());
}
