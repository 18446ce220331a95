import { type ArgumentSettings, type ContentDocumentInput, IMPORTED_TYPES, kinds } from "@loredex/core";
import { IMPORT_KINDS, type ImportKind } from "../../convert/kinds.ts";
import { CONVERSION_MEMORY_BYTES_MAX, CONVERSION_MEMORY_BYTES_MIN, CONVERSION_SECONDS_MAX } from "../../limits.ts";
import { FOLLOW_DEPTH_MAX, PAGES_MAX, REQUESTS_A_SECOND_MAX } from "../../web/limits.ts";

/** Type of the document that a markdown file becomes. */
export type FileType = ContentDocumentInput["type"];

/** All types of files, the default first. */
export const FILE_TYPES: readonly FileType[] = [
  "DOCUMENT",
  ...IMPORTED_TYPES.filter((type) => type !== "QNA" && type !== "DOCUMENT"),
];

/** Options for importing addresses. */
export interface AddressOptions {
  /**
   * Maximum number of links to follow, to pages below the folder of an address: 0 to 100. Default: as in the last import of the address, else 0, the page
   * alone.
   */
  readonly follow?: number;
  /** Maximum pages imported from an address: 1 to 1,000,000. Default 10,000. */
  readonly pagesMax?: number;
  /** Requests per second to one host: above 0, to 1,000. Default 1, and 20 to a host of a private network. */
  readonly requestsPerSecond?: number;
  /** Also imports pages that robots.txt or the pages themselves close to programs: for one's own site. Default false. */
  readonly ignoreRobots?: boolean;
}

/** Options of an import that are kept with an argument, as the defaults of later imports. They are the plain values that change the imported content. */
export interface KeptOptions extends AddressOptions {
  /** Type of markdown files; a line of .jsonl has its own. Default DOCUMENT. */
  readonly type?: FileType;
  /**
   * Kind of files that are named directly: by a path, a pattern or the standard input. Default: by their names, and without a known extension by their bytes.
   * In folders only names decide.
   */
  readonly kind?: ImportKind;
  /**
   * Encoding of texts that are not in UTF-8 and have no byte order mark: a name as `windows-1252`, `shift_jis` or `gb18030`. Default: as declared in the text,
   * else guessed, which is often wrong for a few words. Only for files: pages have the encoding of their server.
   */
  readonly encoding?: string;
  /** Also imports files whose front matter says `draft: true`. Default false: they are left out, and `sync` removes a file that became one. */
  readonly drafts?: boolean;
  /** Maximum memory of the process that converts a file: 256 MiB to 64 GiB. Default 1 GiB. A file that needs more is refused. */
  readonly fileMemoryBytesMax?: number;
  /** Maximum computing seconds to convert one file: 1 to 86,400. Default 60. On a busy machine the clock may show ten times as long. */
  readonly fileSecondsMax?: number;
}

export const KEPT_OPTIONS: kinds.OptionKinds<KeptOptions> = {
  follow: kinds.aWholeNumber(0, FOLLOW_DEPTH_MAX),
  pagesMax: kinds.aWholeNumber(1, PAGES_MAX),
  requestsPerSecond: kinds.aNumber(0.01, REQUESTS_A_SECOND_MAX),
  ignoreRobots: kinds.A_BOOLEAN,
  type: kinds.oneOf(FILE_TYPES),
  kind: kinds.oneOf(IMPORT_KINDS),
  encoding: kinds.A_STRING,
  drafts: kinds.A_BOOLEAN,
  fileMemoryBytesMax: kinds.aWholeNumber(CONVERSION_MEMORY_BYTES_MIN, CONVERSION_MEMORY_BYTES_MAX),
  fileSecondsMax: kinds.aWholeNumber(1, CONVERSION_SECONDS_MAX),
};

/** Readers of stored options, which another version may have written. They return undefined for invalid values. */
const TAKEN_BACK: {
  readonly [Name in keyof Required<KeptOptions>]: (kept: unknown) => Required<KeptOptions>[Name] | undefined;
} = {
  type: (kept) => FILE_TYPES.find((type) => type === kept),
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

/** Returns the options of an import that are kept. */
export function settingsOf(options: KeptOptions): ArgumentSettings {
  const names = Object.keys(TAKEN_BACK) as (keyof KeptOptions)[];
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

/** Restores the options from kept settings. */
export function optionsOf(settings: ArgumentSettings = {}): KeptOptions {
  const taken = Object.entries(TAKEN_BACK).map(([name, back]) => [name, back(settings[name])] as const);
  return Object.fromEntries(taken.filter(([, value]) => value !== undefined));
}

/** Drops the address options, which do not affect files. */
export function withoutAddressOptions({
  follow: _follow,
  pagesMax: _pages,
  requestsPerSecond: _requests,
  ignoreRobots: _robots,
  ...others
}: KeptOptions): KeptOptions {
  return others;
}
