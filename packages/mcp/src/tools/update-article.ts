import type { ArticleChanges, LoredexClient } from "@loredex/client";
import * as z from "zod";
import { edited } from "../answers/edits.ts";
import { EDITS_MAX } from "../answers/limits.ts";
import { ToolProblem } from "../answers/problem-text.ts";
import { type AddTool, answer, ID, IF_VERSION, METADATA, WRITTEN } from "./tool.ts";

const INPUT = z.strictObject({
  id: ID.describe("Of the article"),
  edits: z
    .array(
      z.strictObject({
        old_text: z.string().min(1).describe("Stands in the body exactly once; copied exactly, line breaks included"),
        new_text: z.string().describe("What takes its place; empty to remove it"),
      }),
    )
    .min(1)
    .max(EDITS_MAX)
    .optional()
    .describe("Changes of parts of the body, made one after the other: the safer way, above all for a long article"),
  body: z
    .string()
    .min(1)
    .optional()
    .describe("The whole new markdown, in place of all that was there. Not together with edits"),
  title: z.string().min(3).max(1_000).optional(),
  source: z.string().max(2_048).nullable().optional().describe("null removes it"),
  metadata: METADATA.nullable().optional().describe("Replaces all metadata: give all that shall stay. null empties it"),
  if_version: IF_VERSION,
});

export const addUpdateArticle: AddTool = (server, client) => {
  server.registerTool(
    "update_article",
    {
      title: "Change an article",
      description: `Changes an article: what is given replaces what was there, all else stays. What was there before is gone.
Use it only if the user wants it changed. Call get_article first, and pass its version as if_version. For a few words or lines use edits; a body replaces the whole text, so never send one of which get_article showed you a part only.`,
      inputSchema: INPUT,
      outputSchema: WRITTEN,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ id, edits, body, title, source, metadata, if_version: version }, ctx) =>
      answer(async () => {
        if (edits !== undefined && body !== undefined) {
          throw new ToolProblem("Nothing was changed: give either edits or a body, not both.");
        }
        const { signal } = ctx.mcpReq;
        const base = edits === undefined ? undefined : await editedBody(client, id, edits, signal);
        const text = base?.body ?? body;
        const changes: ArticleChanges = {
          ...(title !== undefined && { title }),
          ...(text !== undefined && { body: text }),
          ...(source !== undefined && { source }),
          ...(metadata !== undefined && { metadata }),
        };
        if (Object.keys(changes).length === 0) {
          throw new ToolProblem(
            "Nothing was changed: say what shall change, by edits, body, title, source or metadata.",
          );
        }
        // Only the service knows which versions are equal: a tag also contains the state of indexing.
        const ifMatch = version ?? base?.etag;
        const written = await client.updateArticle(id, changes, { signal, ...(ifMatch !== undefined && { ifMatch }) });
        const { status, characterCount } = written.article;
        const { etag, characterUsed } = written;
        return {
          text: `Changed article ${id}: it now has ${characterCount} characters, version ${etag}. Searches find the new text in a moment.`,
          structured: { id, version: etag, status, characterCount, charactersUsed: characterUsed },
        };
      }),
  );
};

/** Applies edits to a version of the article. The result is written only if the article still has that version. */
async function editedBody(
  client: LoredexClient,
  id: string,
  edits: Parameters<typeof edited>[1],
  signal: AbortSignal,
): Promise<{ readonly body: string; readonly etag: string }> {
  const { article, etag } = await client.getArticle(id, { signal });
  return { body: edited(article.body, edits), etag };
}
