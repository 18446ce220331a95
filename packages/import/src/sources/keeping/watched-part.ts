import type { SourceInfo } from "@loredex/core";
import { STDIN } from "../belonging/target.ts";

/** What a source has on the disk, or what it has at addresses. The one never becomes the other, so each can be brought up to date alone. */
export interface WatchedPart {
  readonly key: string;
  /** With the arguments of this part. */
  readonly source: SourceInfo;
  readonly isAtAddress: boolean;
}

/** The parts of a source that can be looked at again. */
export function partsOf(source: SourceInfo): WatchedPart[] {
  return [partOf(source, false), partOf(source, true)].filter((part) => part !== undefined);
}

/** Undefined where it has nothing there. */
export function partOf(source: SourceInfo, isAtAddress: boolean): WatchedPart | undefined {
  const all = source.arguments.filter(({ kind, path }) => (kind === "address") === isAtAddress && path !== STDIN);
  if (all.length === 0) return undefined;
  return {
    key: `${isAtAddress ? "addresses" : "files"} of ${source.name}`,
    source: { ...source, arguments: all },
    isAtAddress,
  };
}

/** The hosts that it is fetched from; none for what is on the disk. */
export function hostsOf({ source, isAtAddress }: WatchedPart): ReadonlySet<string> {
  return new Set(isAtAddress ? source.arguments.map(({ path }) => hostOf(path)) : []);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
