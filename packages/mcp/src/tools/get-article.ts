import * as z from "zod";
import { boundedMetadata } from "../answers/bounded-metadata.ts";
import { ANSWER_CHARACTERS_MAX, METADATA_CHARACTERS_MAX } from "../answers/limits.ts";
import { lineWindow } from "../answers/line-window.ts";
import { oneLine, quoted } from "../answers/plain.ts";
import { visible } from "../answers/visible.ts";
import { type AddTool, answer, ID, MARKED_AS_QUOTED, READS } from "./tool.ts";

const INPUT = z.strictObject({
  id: ID.describe("From list_articles, or of a search result of the type EXTERNAL"),
  from_line: z.int().min(1).default(1).describe("The line at which to begin: a search result says which lines matter"),
});

const OUTPUT = z.object({
  id: z.string(),
  version: z.string().describe("Names this version of the article, for if_version"),
  title: z.string(),
  body: z.string().describe("Markdown: whole lines, as many as fit"),
  startLine: z.number(),
  stopLine: z.number(),
  totalLines: z.number(),
  isWhole: z.boolean().describe("Whether body is all of it. If not, never write it back as a body"),
  isExact: z
    .boolean()
    .describe(
      "Whether title and body are shown as they are. If not, signs that nobody sees are shown as U+FFFD: change them by edits",
    ),
  metadata: z.record(z.string(), z.unknown()),
  isMetadataWhole: z.boolean().describe("If not, never write it back"),
  source: z.string().optional().describe("Address of the original"),
  status: z.enum(["uploading", "active"]),
  characterCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const addGetArticle: AddTool = (server, client) => {
  server.registerTool(
    "get_article",
    {
      title: "Get an article",
      description: `Returns one article with its title, markdown, metadata and version. A long one comes in several answers: call again with from_line where this one says so.
Use it to read around a search result, and always before you change an article. Documents of other types than EXTERNAL are no articles: read those with search_knowledge, its document_id and include_content.`,
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: READS,
    },
    ({ id, from_line: from }, ctx) =>
      answer(async () => {
        const { article, etag } = await client.getArticle(id, { signal: ctx.mcpReq.signal });
        const { title, body, metadata, source, status, characterCount, createdAt, updatedAt } = article;
        const { text, startLine, stopLine, totalLines, isWhole, isLineCut } = lineWindow(
          body,
          from,
          ANSWER_CHARACTERS_MAX - METADATA_CHARACTERS_MAX,
        );
        const bounded = boundedMetadata(metadata, METADATA_CHARACTERS_MAX);
        const isExact = visible(title) === title && visible(body) === body;
        const given = JSON.stringify(bounded.metadata);
        const isMetadataWhole = bounded.isWhole && visible(given) === given;
        const structured = {
          ...{ id: article.id, version: etag, title, body: text, startLine, stopLine, totalLines, isWhole },
          ...{ isExact, metadata: bounded.metadata, isMetadataWhole },
          ...(source !== undefined && { source }),
          ...{ status, characterCount, createdAt, updatedAt },
        };
        const lines = [
          `${oneLine(title, 1_000)}`,
          `id ${article.id} · version ${etag} · ${status} · ${characterCount} characters · changed ${updatedAt}`,
          ...(source === undefined ? [] : [`source ${oneLine(source, 2_048)}`]),
          `metadata${isMetadataWhole ? "" : ` (${bounded.isWhole ? "not as it is" : "cut"}: never write it back)`} ${oneLine(JSON.stringify(bounded.metadata), 2 * METADATA_CHARACTERS_MAX)}`,
          ...(isExact
            ? []
            : [
                "Signs that nobody sees are shown as \ufffd. Never write title or body back: change the body by `edits`.",
              ]),
          MARKED_AS_QUOTED,
          isWhole ? "All of it:" : `Lines ${startLine} to ${stopLine} of ${totalLines}:`,
          quoted(text),
          ...(isLineCut ? ["This line is too long to be shown whole. Change it by `edits`."] : []),
          ...(stopLine < totalLines ? [`There is more: call again with from_line ${stopLine + 1}.`] : []),
        ];
        return { text: lines.join("\n"), structured };
      }),
  );
};
