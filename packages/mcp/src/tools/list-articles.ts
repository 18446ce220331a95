import type { Article, ArticleSort } from "@loredex/client";
import * as z from "zod";
import { boundedMetadata } from "../answers/bounded-metadata.ts";
import { ENTRY_CHARACTERS_MAX, LISTED_ARTICLES_DEFAULT, LISTED_ARTICLES_MAX } from "../answers/limits.ts";
import { oneLine } from "../answers/plain.ts";
import { type AddTool, answer, METADATA, READS } from "./tool.ts";

const SORTS = [
  "createdAt:asc",
  "createdAt:desc",
  "updatedAt:asc",
  "updatedAt:desc",
  "title:asc",
  "title:desc",
] as const satisfies ArticleSort[];

const INPUT = z.strictObject({
  title: z.string().max(1_000).optional().describe("Only articles with exactly this title"),
  metadata: METADATA.optional().describe(
    'Only articles whose metadata has all of these values, as {"externalId": "doc-17"}',
  ),
  limit: z.int().min(1).max(LISTED_ARTICLES_MAX).default(LISTED_ARTICLES_DEFAULT).describe("Most articles to return"),
  after: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("`next` of the page before, with the same sort; leave it out for the first page"),
  sort: z.enum(SORTS).optional().describe("The order; oldest first by default"),
});

const OUTPUT = z.object({
  articles: z.array(
    z.object({
      id: z.string(),
      title: z.string().describe(`Cut at ${ENTRY_CHARACTERS_MAX} characters`),
      status: z.enum(["uploading", "active"]),
      characterCount: z.number(),
      updatedAt: z.string(),
      source: z.string().optional().describe(`Left out if it is longer than ${ENTRY_CHARACTERS_MAX} characters`),
      metadata: z.record(z.string(), z.unknown()).describe("Cut where it is long"),
    }),
  ),
  next: z.string().optional().describe("`after` of the next page; absent on the last one"),
});

export const addListArticles: AddTool = (server, client) => {
  server.registerTool(
    "list_articles",
    {
      title: "List articles",
      description: `Lists articles without their bodies, oldest first or in another order, a page at a time; all of them, or those with a title or with metadata.
Use it to find an article's id by what you know of it, or to see what there is. To find what a text is about, use search_knowledge: it reads the texts, and knows documents that are no articles.`,
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: READS,
    },
    ({ title, metadata = {}, limit, after, sort }, ctx) =>
      answer(async () => {
        const filter = { ...(title !== undefined && { title }), metadata };
        const { signal } = ctx.mcpReq;
        const page = await client.getArticlesPage(filter, {
          limit,
          after,
          signal,
          ...(sort !== undefined && { sort }),
        });
        const articles = page.articles.map(entryOf);
        const { next } = page;
        return { text: textOf(articles, next), structured: { articles, ...(next !== undefined && { next }) } };
      }),
  );
};

type Entry = z.infer<typeof OUTPUT>["articles"][number];

function entryOf({ id, title, status, characterCount, updatedAt, source, metadata }: Article): Entry {
  return {
    ...{ id, title: oneLine(title, ENTRY_CHARACTERS_MAX), status, characterCount, updatedAt },
    ...(source !== undefined && source.length <= ENTRY_CHARACTERS_MAX && { source }),
    metadata: boundedMetadata(metadata, ENTRY_CHARACTERS_MAX).metadata,
  };
}

function textOf(articles: readonly Entry[], next: string | undefined): string {
  if (articles.length === 0) return "There are no articles that match.";
  const lines = articles.map(({ id, title, characterCount, updatedAt, source, metadata }) => {
    const facts = [
      `${characterCount} characters`,
      `changed ${updatedAt}`,
      ...(source === undefined ? [] : [oneLine(source, ENTRY_CHARACTERS_MAX)]),
    ];
    const known =
      Object.keys(metadata).length === 0 ? [] : [oneLine(JSON.stringify(metadata), 2 * ENTRY_CHARACTERS_MAX)];
    return `${oneLine(id, ENTRY_CHARACTERS_MAX)}  ${title}\n  ${[...facts, ...known].join(" · ")}`;
  });
  const more = next === undefined ? "These are all." : `There are more: call again with after ${next}`;
  return [...lines, more].join("\n");
}
