import { createHash } from "node:crypto";
import { bytesOfFile } from "../../files/user-files.ts";
import { ownPackage } from "../../own-package.ts";
import type { KnownDocument } from "../belonging/brought-files.ts";
import type { Placed } from "../belonging/placing.ts";
import { noteMarkOf } from "./note-mark.ts";

/**
 * Digest of a converted file: its bytes, and everything that affects the result. The name is part of it, because it may be the title. The version of this
 * package is part of it, so that a better converter takes effect at the first sync after an upgrade.
 */
export async function digestOf(
  path: string,
  by: {
    readonly name: string;
    readonly kind: string;
    readonly type: string;
    readonly drafts: boolean;
    readonly encoding?: string | undefined;
  },
  { version }: { readonly version: string } = ownPackage(),
): Promise<string> {
  const { name, kind, type, drafts, encoding } = by;
  const written = encoding === undefined ? [] : [encoding];
  const hash = createHash("sha256").update(JSON.stringify([version, name, kind, type, drafts, ...written]));
  for await (const bytes of bytesOfFile(path)) hash.update(bytes);
  return hash.digest("base64url");
}

/**
 * Returns the digest as each document of the file keeps it. It includes the number of documents, so that a removed one is noticed. It also includes the mark of
 * the file's notes, so that unreported notes can still be reported.
 */
export function keptDigest(digest: string, documents: number, notes: readonly string[] = []): string {
  return [digest, documents, ...(notes.length === 0 ? [] : [noteMarkOf(notes)])].join("-");
}

/** The documents of an unchanged file. */
export interface StillKnown {
  readonly ids: readonly string[];
  /** The mark of the file's notes. */
  readonly noteMark: string;
}

/**
 * Returns all documents of an unchanged file, as an import would bring them now; undefined if some are missing. Documents from an earlier version of the file
 * that were not removed are not among them.
 */
export function stillKnown(known: readonly KnownDocument[], digest: string, placed: Placed): StillKnown | undefined {
  const { source, argument, path } = placed.origin;
  const own = known.filter(
    ({ origin }) =>
      origin.digest?.startsWith(`${digest}-`) === true &&
      origin.source === source &&
      origin.argument === argument &&
      origin.path === path,
  );
  const kept = own[0]?.origin.digest;
  if (kept === undefined || own.some(({ origin }) => origin.digest !== kept)) return undefined;
  const [documents, ...mark] = kept.slice(digest.length + 1).split("-");
  return Number(documents) === own.length ? { ids: own.map(({ id }) => id), noteMark: mark.join("-") } : undefined;
}
