import { createHash } from "node:crypto";
import { bytesOfFile } from "../../files/user-files.ts";
import { ownPackage } from "../../own-package.ts";
import type { KnownDocument } from "../belonging/brought-files.ts";
import type { Placed } from "../belonging/placing.ts";
import { noteMarkOf } from "./note-mark.ts";

/**
 * What a converted file is known by: its bytes and all that decides on what becomes of them. Its name is part of that, for it may be the title,
 * and so is the version of this package: what a better converter reads comes in at the first sync after an upgrade.
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
 * As it is kept with each document of the file: with how many they are, so that one that was taken out since is missed, and with the mark of what was to be
 * said of the file, so that this can be said where it was not.
 */
export function keptDigest(digest: string, documents: number, notes: readonly string[] = []): string {
  return [digest, documents, ...(notes.length === 0 ? [] : [noteMarkOf(notes)])].join("-");
}

/** What a file became when it was the same. */
export interface StillKnown {
  readonly ids: readonly string[];
  /** The mark of what was said of it. */
  readonly noteMark: string;
}

/**
 * All documents that the file became when it was the same, as they would be brought now; undefined where they are not all there. What it had brought when it was
 * another one, and was not taken out, is none of them.
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
