import {
  CONTEXT_CHARACTERS_DEFAULT,
  CONTEXT_CHARACTERS_MAX,
  CONTEXTS,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type FilterValue,
  OFFSET_MAX,
  QUALITIES,
  type Quality,
  type SearchFilter,
  type SearchOptions,
  TOP_K_MAX,
} from "@loredex/core";
import type { Options } from "../configuration/option.ts";
import { oneLine, type Terminal } from "../terminal/terminal.ts";
import { count, flag, number, type OptionValues, oneOf, qualityOf, text, UsageError } from "./command.ts";
import { allOf, conditionOf, filterOfJson } from "./where.ts";

/** The options of every command that asks a bot, without `--top-k`, whose range and default differ by command. */
const NARROWING = {
  quality: {
    kind: "choice",
    value: "Q",
    choices: QUALITIES,
    help: `who reads the question: ${QUALITIES.join(" or ")}`,
    default: "the bot's",
    setting: true,
  },
  filter: {
    kind: "text",
    value: "FIELD=VALUE",
    many: true,
    help: `only documents that have it, as in status=active or metaData.team=billing; FIELD:=JSON for a
number or boolean, as in metaData.year:=2024; may be given again`,
    setting: false,
  },
  where: {
    kind: "text",
    value: "CONDITION",
    many: true,
    help: `only documents that fit, as in "metaData.year>=2020" or "metaData.team in billing, sales": a field with
one of = != > >= < <=, or with in, nin, contains, startsWith or exists; may be given again: all must hold`,
    setting: false,
  },
  "where-json": {
    kind: "text",
    value: "JSON",
    many: true,
    help: `the same as filters of the API, with and, or and not: {"or":[{"type":"PDF"},{"url":{"exists":true}}]}`,
    setting: false,
  },
  "no-faqs": { kind: "switch", help: "leave out questions with answers (QNA)", setting: true },
  "only-active-intents": { kind: "switch", help: "leave out QNA that are not active", setting: true },
  "min-score": {
    kind: "number",
    value: "X",
    min: 0,
    max: 1,
    help: "leave out documents that score less, 0 to 1",
    setting: false,
  },
} as const satisfies Options;

/** The options of a command that shows results: the text around each text part, and where the results begin. */
export const SHOWING = {
  context: {
    kind: "choice",
    value: "UNIT",
    choices: CONTEXTS,
    help: `the text around each part: ${CONTEXTS.join(", ")}`,
    default: "none",
    setting: true,
  },
  "context-characters": {
    kind: "count",
    value: "N",
    min: 1,
    max: CONTEXT_CHARACTERS_MAX,
    help: `most characters of that text, 1 to ${CONTEXT_CHARACTERS_MAX}`,
    default: CONTEXT_CHARACTERS_DEFAULT,
    setting: true,
  },
  offset: {
    kind: "count",
    value: "N",
    min: 0,
    max: OFFSET_MAX,
    help: `leave out the first N documents, 0 to ${OFFSET_MAX}`,
    setting: false,
  },
} as const satisfies Options;

interface TopK {
  readonly help: string;
  readonly min?: number;
  readonly default: number;
  /** Whether it may be set in the environment and the file. */
  readonly setting: boolean;
}

/** The options of a search, with the command's own `--top-k`. */
export function searchOptionsWith({ help, min = 1, ...more }: TopK): Options {
  const range = `${min} to ${TOP_K_MAX}`;
  return {
    "top-k": { kind: "count", value: "N", min, max: TOP_K_MAX, help: `${help}, ${range}`, ...more },
    ...NARROWING,
  };
}

/** The options of a search that the command line has. */
export type GivenSearchOptions = SearchOptions & { readonly topK: number; readonly quality?: Quality };

/** Reads the options of a search. The search itself validates fields and values. */
export function searchOptions(options: OptionValues, topKDefault: number): GivenSearchOptions {
  const filters = filtersOf(options);
  const quality = qualityOf(options);
  const given = {
    context: oneOf("--context", text(options, "context"), CONTEXTS),
    contextCharacters: count(options, "context-characters"),
    offset: count(options, "offset"),
    minScore: number(options, "min-score"),
  };
  return {
    topK: count(options, "top-k") ?? topKDefault,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(quality === undefined ? {} : { quality }),
    ...(filters.length === 0 ? {} : { filters: allOf(filters) }),
    ...(flag(options, "no-faqs") ? { includeFaqs: false } : {}),
    ...(flag(options, "only-active-intents") ? { onlyActiveIntents: true } : {}),
  };
}

const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = { type: DOCUMENT_TYPES, status: DOCUMENT_STATUSES };

/** Reports filters that no document can pass. They are no error: filters only compare, as over the API. */
export function tellUnknownValues({ filters = {} }: SearchOptions, terminal: Terminal): void {
  for (const [field, known] of Object.entries(KNOWN_VALUES)) {
    const value = filters[field];
    if (value === undefined || typeof value === "object" || known.some((each) => each === value)) continue;
    terminal.err(`No document has the ${field} "${oneLine(String(value))}"; there are ${known.join(", ")}.\n`);
  }
}

function filtersOf(options: OptionValues): SearchFilter[] {
  const filters = textsOf(options.filter).map(filterOf);
  // Of one field the last filter counts.
  const plain = filters.length === 0 ? [] : [Object.fromEntries(filters)];
  return [...plain, ...textsOf(options.where).map(conditionOf), ...textsOf(options["where-json"]).map(filterOfJson)];
}

function textsOf(given: OptionValues[string]): readonly string[] {
  return (Array.isArray(given) ? given : []).map(String);
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
    // The error follows below.
  }
  throw new UsageError(`--filter FIELD:=JSON takes a number, true, false or a string in quotes, not "${given}"`);
}
