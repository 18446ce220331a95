import { realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { ArgumentKind } from "@loredex/core";
import { kindOfName } from "../convert/kinds.ts";

/** What an argument of an import points at. */
export interface Target {
  /** As it was given. */
  readonly given: string;
  /** Absolute and without links: by it files and folders are known again, however they are named. */
  readonly real: string;
  readonly kind: Exclude<ArgumentKind, "address">;
  /** Its last name as it was given. */
  readonly base: string;
}

/** @throws Error of the file system */
export async function targetOf(given: string): Promise<Target> {
  const [real, found] = await Promise.all([realpath(given), stat(given)]);
  return { given, real, kind: found.isDirectory() ? "folder" : "file", base: basename(resolve(given)) || "root" };
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

export function isMarkdown(path: string): boolean {
  return kindOfName(path) === "markdown";
}

/** Its documents say their ids themselves. */
export function isJsonLines(path: string): boolean {
  return extname(path).toLowerCase() === ".jsonl";
}
