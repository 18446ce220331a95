import type { Options } from "./option.ts";
import { STORE_OPTIONS } from "./store-options.ts";

export const DIRECTORY_DEFAULT = "./data";

/** Options of every command, before its words or after them. */
export const COMMON = {
  data: { kind: "path", value: "DIR", help: "the data directory", default: DIRECTORY_DEFAULT, setting: true },
  ...STORE_OPTIONS,
  config: {
    kind: "path",
    value: "FILE",
    help: "a file of settings",
    default: "./loredex.config.json, if it is there",
    setting: "environment",
  },
  json: { kind: "switch", help: "machine-readable output on stdout", setting: true },
  help: { kind: "switch", help: "this text", setting: false },
} as const satisfies Options;

/** The options of every command that this one takes: one with `places` has options of its own instead of `--data` and `--store`. */
export function commonOptions({ places }: { readonly places?: string }): Options {
  if (places === undefined) return COMMON;
  const { data: _data, store: _store, ...others } = COMMON;
  return others;
}

/** The short names of options. */
export const SHORT: Readonly<Record<string, string>> = { help: "h" };
