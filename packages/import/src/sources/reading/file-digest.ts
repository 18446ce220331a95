import { createHash } from "node:crypto";
import { bytesOfFile } from "../../files/user-files.ts";
import { ownPackage } from "../../own-package.ts";
import type { KnownDocument } from "../belonging/brought-files.ts";
import type { Placed } from "../belonging/placing.ts";

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

/** As it is kept with each document of the file: with how many they are, so that one that was taken out since is missed. */
export function keptDigest(digest: string, documents: number): string {
  return `${digest}-${documents}`;
}

/** Whether these are all documents that the file became when it was the same, and as they would be brought now. */
export function isStillKnown(known: readonly KnownDocument[], digest: string, placed: Placed): boolean {
  const { source, argument, path } = placed.origin;
  const kept = keptDigest(digest, known.length);
  return (
    known.length > 0 &&
    known.every(
      ({ origin }) =>
        origin.digest === kept && origin.source === source && origin.argument === argument && origin.path === path,
    )
  );
}
