import * as z from "zod";
import { type AddTool, answer, METADATA, WRITTEN } from "./tool.ts";

const INPUT = z.strictObject({
  title: z.string().min(3).max(1_000).describe("What the article is about, as a reader would look for it"),
  body: z
    .string()
    .min(1)
    .describe("Markdown, kept exactly as it is given. Headings and short sections make it easier to find"),
  source: z.string().max(2_048).optional().describe("Address of the original (http or https), if there is one"),
  metadata: METADATA.optional().describe("Flat: texts, numbers and true or false by name"),
});

export const addCreateArticle: AddTool = (server, client) => {
  server.registerTool(
    "create_article",
    {
      title: "Create an article",
      description: `Adds an article to the knowledge base. Its characters count against a quota and a rate a minute; the answer says how many are used.
Use it only if the user wants something added. Search first: where an article on the subject exists, update that one, since two that differ make answers worse. Calling it twice makes two articles.`,
      inputSchema: INPUT,
      outputSchema: WRITTEN,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ title, body, source, metadata }, ctx) =>
      answer(async () => {
        const given = {
          title,
          body,
          ...(source !== undefined && { source }),
          ...(metadata !== undefined && { metadata }),
        };
        const { article, etag, characterUsed } = await client.createArticle(given, { signal: ctx.mcpReq.signal });
        const { id, status, characterCount } = article;
        return {
          text: `Created article ${id} with ${characterCount} characters, version ${etag}. Searches find it in a moment. All articles together now have ${characterUsed} characters.`,
          structured: { id, version: etag, status, characterCount, charactersUsed: characterUsed },
        };
      }),
  );
};
