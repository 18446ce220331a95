import type { SourceInfo } from "@loredex/core";
import { STDIN } from "../belonging/target.ts";

/** The part of a source on the disk, or the part at addresses. Neither becomes the other, so each can be synced alone. */
export interface WatchedPart {
  readonly key: string;
  /** The source with the arguments of this part. */
  readonly source: SourceInfo;
  readonly isAtAddress: boolean;
}

/** Returns the parts of a source that can be checked again. */
export function partsOf(source: SourceInfo): WatchedPart[] {
  return [partOf(source, false), partOf(source, true)].filter((part) => part !== undefined);
}

/** Returns a part of a source; undefined if the source has nothing there. */
export function partOf(source: SourceInfo, isAtAddress: boolean): WatchedPart | undefined {
  const all = source.arguments.filter(({ kind, path }) => (kind === "address") === isAtAddress && path !== STDIN);
  if (all.length === 0) return undefined;
  return {
    key: `${isAtAddress ? "addresses" : "files"} of ${source.name}`,
    source: { ...source, arguments: all },
    isAtAddress,
  };
}

/** The hosts that the part is fetched from; none for the disk. */
export function hostsOf({ source, isAtAddress }: WatchedPart): ReadonlySet<string> {
  return new Set(isAtAddress ? source.arguments.map(({ path }) => hostOf(path)) : []);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
