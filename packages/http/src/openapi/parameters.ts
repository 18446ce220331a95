import {
  ARTICLE_SORT_DEFAULT,
  ARTICLE_SORTS,
  IDEMPOTENCY_KEY_CHARACTERS_MAX,
  PAGE_ARTICLES_MAX,
  PAGE_MARK_CHARACTERS_MAX,
  TITLE_SORTED_CHARACTERS_MAX,
} from "@loredex/core";
import { PAGE_FILES } from "../viewer-files.ts";

/** The parameters of a request beside its body: in the path, in the query and in headers. */

const text = { type: "string" };

export const ID = { name: "id", in: "path", required: true, description: "The article's id.", schema: text };

export const PAGE_FILE = {
  name: "file",
  in: "path",
  required: true,
  description: "A file that the page names.",
  schema: { type: "string", enum: Object.values(PAGE_FILES) },
};

export const path = (name: string, description: string) => ({
  ...{ name, in: "path", required: true, description, schema: text },
});

export const query = (name: string, description: string, schema: object = text) => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

const header = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
  example,
});

/** `*`, or tags in the form of ETag, separated by commas. */
const TAG = '(W/)?"[!#-~]*"';
const TAG_EXAMPLE = '"mnoT3LkZkO5fWb0m1cXh1A-a"';
const tags = { type: "string", pattern: `^(\\*|${TAG}([ \\t]*,[ \\t]*${TAG})*)$` };

export const IF_MATCH = header(
  "If-Match",
  "Entity tags: the write is refused with 412 unless one of them is that of what it changes. Of an article, only the status may have changed since. * is any.",
  tags,
  TAG_EXAMPLE,
);

export const IF_NONE_MATCH = header(
  "If-None-Match",
  "Entity tags: if one of them is the article's, the answer is 304. * is any.",
  tags,
  TAG_EXAMPLE,
);

export const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "Made up by the client for this one create: with the same key and body it is done once within 24 hours, and answered alike.",
  { type: "string", maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX, pattern: "^[!-~]+$" },
  "import-2025-03-01-0001",
);

export const LIST = [
  query("id", "Only the article with this id."),
  query("title", "Only articles with exactly this title."),
  {
    ...query(
      "metadata",
      "Properties are named metadata.KEY: only articles whose metadata has under KEY a value that is written so.",
      {
        type: "object",
        // Not patternProperties: client generators ignore them, and the filter would be lost.
        propertyNames: { pattern: "^metadata\\." },
        additionalProperties: { type: "string" },
      },
    ),
    style: "form",
    explode: true,
  },
  query("limit", "Most articles of the answer. Default: all.", {
    type: "integer",
    minimum: 1,
    maximum: PAGE_ARTICLES_MAX,
  }),
  query("after", "What next was of the page before, in the same order: the articles behind it.", {
    type: "string",
    maxLength: PAGE_MARK_CHARACTERS_MAX,
    pattern: "^[A-Za-z0-9_-]+$",
  }),
  query(
    "sort",
    `The order, ${ARTICLE_SORT_DEFAULT} by default; of equal times or titles by id. Titles are compared by their first ${TITLE_SORTED_CHARACTERS_MAX} characters, upper and lower case alike. An article that is changed between two pages moves in an order by updatedAt or title.`,
    { type: "string", enum: ARTICLE_SORTS },
  ),
];
