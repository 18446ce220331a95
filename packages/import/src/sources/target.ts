import { realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { ArgumentKind } from "@loredex/core";
import { ADDRESS_CHARACTERS_MAX } from "../web/limits.ts";
import { isAddress, pageAddress } from "../web/page-address.ts";

/** What an argument of an import points at. */
export interface Target {
  /** As it was given. */
  readonly given: string;
  /** Absolute and without links, or the one way to write an address: by it they are known again, however they are named. */
  readonly real: string;
  readonly kind: ArgumentKind;
  /** Its last name as it was given; all of an address. */
  readonly base: string;
}

/** @throws Error of the file system, or one that says what is wrong with an address */
export async function targetOf(given: string): Promise<Target> {
  if (isAddress(given)) return addressTarget(given);
  const [real, found] = await Promise.all([realpath(given), stat(given)]);
  return { given, real, kind: found.isDirectory() ? "folder" : "file", base: basename(resolve(given)) || "root" };
}

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
  return extname(path).toLowerCase() === ".jsonl";
}
