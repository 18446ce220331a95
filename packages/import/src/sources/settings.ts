import type { ArgumentSettings } from "@loredex/core";

/**
 * What an import says of how it is done, as it is kept with an argument and taken from there for a later one: of the options
 * of an import those that are plain values and change what comes in.
 */
export interface KeptOptions {
  /** Of markdown files; a line of .jsonl says its own. Default DOCUMENT. */
  readonly type?: "DOCUMENT" | "WEBPAGE" | "PDF" | "TABLE";
}

/** How each is taken back from what a store holds, which another version may have written: undefined for what it cannot be. */
const TAKEN_BACK: {
  readonly [Name in keyof Required<KeptOptions>]: (kept: unknown) => Required<KeptOptions>[Name] | undefined;
} = {
  type: (kept) => (["DOCUMENT", "WEBPAGE", "PDF", "TABLE"] as const).find((type) => type === kept),
};

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
