import { type ArgumentSettings, kinds } from "@loredex/core";
import { IMPORT_KINDS, type ImportKind } from "../../convert/kinds.ts";
import { CONVERSION_MEMORY_BYTES_MAX, CONVERSION_MEMORY_BYTES_MIN, CONVERSION_SECONDS_MAX } from "../../limits.ts";
import { FOLLOW_DEPTH_MAX, PAGES_MAX, REQUESTS_A_SECOND_MAX } from "../../web/limits.ts";

/** How addresses are imported. */
export interface AddressOptions {
  /**
   * Links to pages below the folder of an address are followed so deep: 0 to 100. Default: as the same address was imported before, else 0,
   * the page alone.
   */
  readonly follow?: number;
  /** So many pages of an address are brought: 1 to 1,000,000. Default 10,000. */
  readonly pagesMax?: number;
  /** Requests to one host: above 0, to 1,000. Default 1, and 20 to a host of a private network. */
  readonly requestsPerSecond?: number;
  /** Also brings what robots.txt and pages themselves ask programs to leave alone: for a site of one's own. Default false. */
  readonly ignoreRobots?: boolean;
}

/**
 * What an import says of how it is done, as it is kept with an argument and taken from there for a later one: of the options
 * of an import those that are plain values and change what comes in.
 */
export interface KeptOptions extends AddressOptions {
  /** Of markdown files; a line of .jsonl says its own. Default DOCUMENT. */
  readonly type?: "DOCUMENT" | "WEBPAGE" | "PDF" | "TABLE";
  /**
   * What files are that are named themselves, by a path, a pattern or the standard input. Default: what their names say, and where
   * they say nothing, what they look like. In folders names alone say so.
   */
  readonly kind?: ImportKind;
  /**
   * How texts are written that are not in UTF-8 and have no mark at their beginning: a name as `windows-1252`, `shift_jis` or `gb18030`. Default: as
   * they say themselves, else as they look, which is often wrong for a few words. Of files alone: of pages their server says it.
   */
  readonly encoding?: string;
  /** Also brings files whose front matter says `draft: true`. Default false: they stay out, and `sync` removes what has become one. */
  readonly drafts?: boolean;
  /** Memory of the process that converts a file: 256 MiB to 64 GiB. Default 1 GiB. A file that needs more is refused. */
  readonly fileMemoryBytesMax?: number;
  /** Seconds that the conversion of one file may compute: 1 to 86,400. Default 60. By the clock it may take ten times as long, on a busy machine. */
  readonly fileSecondsMax?: number;
}

const TYPES = ["DOCUMENT", "WEBPAGE", "PDF", "TABLE"] as const;

export const KEPT_OPTIONS: kinds.OptionKinds<KeptOptions> = {
  follow: kinds.aWholeNumber(0, FOLLOW_DEPTH_MAX),
  pagesMax: kinds.aWholeNumber(1, PAGES_MAX),
  requestsPerSecond: kinds.aNumber(0.01, REQUESTS_A_SECOND_MAX),
  ignoreRobots: kinds.A_BOOLEAN,
  type: kinds.oneOf(TYPES),
  kind: kinds.oneOf(IMPORT_KINDS),
  encoding: kinds.A_STRING,
  drafts: kinds.A_BOOLEAN,
  fileMemoryBytesMax: kinds.aWholeNumber(CONVERSION_MEMORY_BYTES_MIN, CONVERSION_MEMORY_BYTES_MAX),
  fileSecondsMax: kinds.aWholeNumber(1, CONVERSION_SECONDS_MAX),
};

/** How each is taken back from what a store holds, which another version may have written: undefined for what it cannot be. */
const TAKEN_BACK: {
  readonly [Name in keyof Required<KeptOptions>]: (kept: unknown) => Required<KeptOptions>[Name] | undefined;
} = {
  type: (kept) => TYPES.find((type) => type === kept),
  follow: aNumber,
  pagesMax: aNumber,
  requestsPerSecond: aNumber,
  ignoreRobots: (kept) => (typeof kept === "boolean" ? kept : undefined),
  kind: (kept) => IMPORT_KINDS.find((kind) => kind === kept),
  encoding: (kept) => (typeof kept === "string" ? kept : undefined),
  drafts: (kept) => (typeof kept === "boolean" ? kept : undefined),
  fileMemoryBytesMax: aNumber,
  fileSecondsMax: aNumber,
};

function aNumber(kept: unknown): number | undefined {
  return typeof kept === "number" ? kept : undefined;
}

/** What is kept of the options of an import. */
export function settingsOf(options: KeptOptions): ArgumentSettings {
  const names = Object.keys(TAKEN_BACK) as (keyof KeptOptions)[];
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

/** The options of an import that kept these settings. */
export function optionsOf(settings: ArgumentSettings = {}): KeptOptions {
  const taken = Object.entries(TAKEN_BACK).map(([name, back]) => [name, back(settings[name])] as const);
  return Object.fromEntries(taken.filter(([, value]) => value !== undefined));
}

/** Files are imported the same whatever is said of addresses. */
export function withoutAddressOptions({
  follow: _follow,
  pagesMax: _pages,
  requestsPerSecond: _requests,
  ignoreRobots: _robots,
  ...others
}: KeptOptions): KeptOptions {
  return others;
}
