import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type FilterValue,
  QUALITIES,
  type SearchOptions,
  TOP_K_MAX,
} from "@loredex/core";
import { oneLine, type Terminal } from "../terminal.ts";
import { type Command, count, flag, type OptionValues, qualityOf, UsageError } from "./command.ts";

/** The options of every command that asks a bot. */

export const SEARCH_OPTIONS = {
  "top-k": { type: "string" },
  quality: { type: "string" },
  filter: { type: "string", multiple: true },
  "no-faqs": { type: "boolean" },
  "only-active-intents": { type: "boolean" },
} as const satisfies Command["options"];

/** Their help, but for `--top-k`, whose default is the command's own. */
export const SEARCH_OPTION_HELP: Command["optionHelp"] = [
  ["--quality Q", `who reads the question: ${QUALITIES.join(" or ")} (default: the bot's)`],
  [
    "--filter FIELD=VALUE",
    "only documents that have it, as in status=active or metaData.team=billing; FIELD:=JSON for a",
  ],
  ["", "number or boolean, as in metaData.year:=2024; may be given again"],
  ["--no-faqs", "leave out questions with answers (QNA)"],
  ["--only-active-intents", "leave out QNA that are not active"],
];

/** Fields and values are checked by the search. */
export function searchOptions(
  options: OptionValues,
  topK: { readonly min?: number; readonly standard: number },
): SearchOptions & { readonly topK: number } {
  const { min = 1, standard } = topK;
  const wanted = count(options, "top-k") ?? standard;
  if (wanted < min || wanted > TOP_K_MAX) throw new UsageError(`--top-k takes a number from ${min} to ${TOP_K_MAX}`);
  const filters = filtersOf(options.filter);
  const quality = qualityOf(options);
  return {
    topK: wanted,
    ...(quality === undefined ? {} : { quality }),
    ...(filters.length === 0 ? {} : { filters: Object.fromEntries(filters) }),
    ...(flag(options, "no-faqs") ? { includeFaqs: false } : {}),
    ...(flag(options, "only-active-intents") ? { onlyActiveIntents: true } : {}),
  };
}

const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = { type: DOCUMENT_TYPES, status: DOCUMENT_STATUSES };

/** Tells of filters that no document can pass. They are no error: filters compare, over the API as here. */
export function tellUnknownValues({ filters = {} }: SearchOptions, terminal: Terminal): void {
  for (const [field, known] of Object.entries(KNOWN_VALUES)) {
    const value = filters[field];
    if (value === undefined || known.some((each) => each === value)) continue;
    terminal.err(`No document has the ${field} "${oneLine(String(value))}"; there are ${known.join(", ")}.\n`);
  }
}

function filtersOf(given: OptionValues[string]): (readonly [string, FilterValue])[] {
  return (Array.isArray(given) ? given : []).map((each) => filterOf(String(each)));
}

function filterOf(given: string): readonly [string, FilterValue] {
  const at = given.indexOf("=");
  if (at < 1) throw new UsageError(`--filter takes FIELD=VALUE, not "${given}"`);
  if (given[at - 1] !== ":") return [given.slice(0, at), given.slice(at + 1)];
  return [given.slice(0, at - 1), jsonValue(given.slice(at + 1))];
}

function jsonValue(given: string): FilterValue {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  } catch {
    // Said below.
  }
  throw new UsageError(`--filter FIELD:=JSON takes a number, true, false or a string in quotes, not "${given}"`);
}
