import type { ArticleKeys, MetadataValue } from "../model/types.ts";
import { isFields, own, Violations } from "../model/validation.ts";
import { ANY_METADATA, parseArticleChanges } from "./shape.ts";

/** Keys of metadata, and the values that an upsert finds its article by. */
export type Wanted = readonly [readonly [string, MetadataValue], ...(readonly [string, MetadataValue])[]];

/** Reads the metadata values that an upsert finds its article by. @throws ValidationError */
export function requireMetadata(by: ArticleKeys, input: unknown): Wanted {
  const violations = new Violations();
  const changes = violations.gather(() => parseArticleChanges(input, ANY_METADATA));
  const metadata = isFields(input) ? own(input, "metadata") : undefined;
  const read = changes?.metadata;
  const wanted: [string, MetadataValue][] = [];
  const keys = typeof by === "string" ? [by] : by;
  if (keys.length === 0) violations.add("by", "minItems", "by must name at least one key of metadata");
  for (const key of keys) {
    const given = isFields(metadata) ? own(metadata, key) : undefined;
    const value = read !== undefined && Object.hasOwn(read, key) ? read[key] : undefined;
    if (value !== undefined && value !== null) wanted.push([key, value]);
    if (given === undefined) {
      violations.add(`metadata.${key}`, "required", `metadata.${key} is required: it is what the article is found by`);
    }
  }
  violations.throwIfAny();
  const [first, ...more] = wanted;
  return first === undefined ? (violations.throwIfAny() as never) : [first, ...more];
}

/** What is told if several articles have the values. */
export function severalArticles(count: number, wanted: Wanted): string {
  const [[first], ...more] = wanted;
  const found = more.length === 0 ? "this value" : "these values";
  const named = [first, ...more.map(([key]) => key)].map((key) => `metadata.${key}`).join(", ");
  return `${count} articles have ${found} of ${named}, so it is not known which one to update. Update or delete them by their ids.`;
}
