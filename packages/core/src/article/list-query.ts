import type { ArticleFilter } from "../domain/types.ts";
import { Violations } from "../domain/validation.ts";

const FIELDS = new Set(["id", "title"]);

/**
 * Reads the query parameters of a listing, as name and value pairs in the order of the request.
 * @throws ValidationError if a parameter is unknown, repeated or not well-formed
 */
export function parseArticleFilter(parameters: Iterable<readonly [name: string, value: string]>): ArticleFilter {
  const violations = new Violations();
  const read = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (!FIELDS.has(name)) {
      violations.add(name, "unknownField", `${name} is not a known query parameter; known are id and title`);
    } else if (read.has(name)) {
      violations.add(name, "repeated", `${name} may be given only once`);
    } else {
      const text = violations.string(name, value);
      if (text !== undefined) read.set(name, text);
    }
  }
  violations.throwIfAny();
  const id = read.get("id");
  const title = read.get("title");
  return { ...(id === undefined ? {} : { id }), ...(title === undefined ? {} : { title }) };
}
