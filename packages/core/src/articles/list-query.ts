import { kind } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";
import type { ArticlePageRequest, ArticleSort } from "../model/types.ts";
import { Violations } from "../model/validation.ts";
import { checkPage } from "./page.ts";

const FIELDS = ["id", "title", "limit", "after", "sort"] as const;
const METADATA = "metadata.";
const PAIRS = kind<Iterable<readonly [string, string | undefined]>>(
  "iterable",
  "a list of names with values, or another iterable of such pairs",
  (given) => typeof Object(given)[Symbol.iterator] === "function" && typeof given !== "string",
);

/**
 * Reads the query parameters of a listing.
 * @param parameters pairs of name and value, in the order of the request; a value is undefined if it or its name is not percent-encoded UTF-8
 * @throws ValidationError if a parameter is unknown, repeated or not well-formed
 */
export function parseArticleFilter(
  parameters: Iterable<readonly [name: string, value: string | undefined]>,
): ArticlePageRequest {
  requireArguments("parseArticleFilter", { parameters }, { parameters: PAIRS });
  const violations = new Violations();
  const read = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of parameters) {
    const isKnown = FIELDS.some((field) => field === name) || name.startsWith(METADATA);
    if (value === undefined) violations.add(name, "percentEncoding", `${name} is not percent-encoded UTF-8`);
    if (!isKnown && value !== undefined) violations.add(name, "unknownField", unknown(name));
    if (isKnown && seen.has(name)) violations.add(name, "repeated", `${name} may be given only once`);
    seen.add(name);
    const text = isKnown && value !== undefined ? violations.string(name, value) : undefined;
    if (text !== undefined) read.set(name, text);
  }
  const [id, title, limit, after, sort] = FIELDS.map((name) => read.get(name));
  const metadata = new Map<string, string>();
  for (const [name, text] of read) if (name.startsWith(METADATA)) metadata.set(name.slice(METADATA.length), text);
  const request = {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    ...(metadata.size === 0 ? {} : { metadata }),
    ...(limit === undefined ? {} : { limit: /^\d+$/.test(limit) ? Number(limit) : Number.NaN }),
    ...(after === undefined ? {} : { after }),
    // `checkPage` refuses other texts.
    ...(sort === undefined ? {} : { sort: sort as ArticleSort }),
  };
  checkPage(request, violations);
  violations.throwIfAny();
  return request;
}

function unknown(name: string): string {
  return `${name} is not a known query parameter; known are id, title, limit, after, sort and metadata.KEY`;
}
