import type { PartContext, SearchFilter, SearchResult } from "@loredex/client";
import * as z from "zod";
import { boundedMetadata } from "../answers/bounded-metadata.ts";
import {
  ANSWER_CHARACTERS_MAX,
  CONTEXT_CHARACTERS_DEFAULT,
  CONTEXT_DEFAULT,
  ENTRY_CHARACTERS_MAX,
  FOUND_DOCUMENTS_DEFAULT,
  FOUND_DOCUMENTS_MAX,
} from "../answers/limits.ts";
import { type LineWindow, lineWindow } from "../answers/line-window.ts";
import { oneLine, quoted } from "../answers/plain.ts";
import { type AddTool, answer, ID, MARKED_AS_QUOTED, METADATA, READS } from "./tool.ts";

/** Every value of a field, as the keys of a table: one that lacks a value does not compile. */
type EachOf<Value extends string> = { readonly [Each in Value]: Each };

const TYPES: EachOf<SearchResult["type"]> = {
  WEBPAGE: "WEBPAGE",
  PDF: "PDF",
  DOCUMENT: "DOCUMENT",
  TABLE: "TABLE",
  QNA: "QNA",
  EXTERNAL: "EXTERNAL",
};
const STATUSES: EachOf<SearchResult["status"]> = { active: "active", inactive: "inactive", pending: "pending" };

const INPUT = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(4_096)
    .describe(
      "One question, or the words to look for. It is matched by words and by meaning: ask as the user does, one thing at a time.",
    ),
  limit: z.int().min(1).max(FOUND_DOCUMENTS_MAX).default(FOUND_DOCUMENTS_DEFAULT).describe("Most documents to return"),
  type: z
    .enum(TYPES)
    .optional()
    .describe(
      "Only documents of this type: EXTERNAL are articles, which can be got and changed; QNA are questions with answers",
    ),
  metadata: METADATA.optional().describe(
    'Only documents whose metadata has all of these values, as {"team": "billing"}',
  ),
  filters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Further conditions: {"metaData.year": {"gte": 2020}}, with eq, ne, in, nin, gt, gte, lt, lte (numbers, or dates as YYYY-MM-DD), exists, contains, startsWith; {"or": [...]}, {"and": [...]} and {"not": {...}} hold such objects',
    ),
  document_id: ID.optional().describe("Only this document: the `id` of an earlier result"),
  context: z
    .enum(["none", "passage", "section", "page"])
    .default(CONTEXT_DEFAULT)
    .describe(
      "The text around each part: its passage; its section, up to the next heading; the page of a PDF; none with include_content",
    ),
  context_characters: z
    .int()
    .min(1)
    .max(20_000)
    .default(CONTEXT_CHARACTERS_DEFAULT)
    .describe("Most characters of the text around one part"),
  include_content: z
    .boolean()
    .default(false)
    .describe(
      "Also return the documents' whole text, as far as it fits. Use it with limit 1 or document_id, where the parts are not enough",
    ),
  from_line: z.int().min(1).default(1).describe("The line at which the text of include_content begins"),
});

const WINDOW = z.object({
  text: z.string(),
  startLine: z.number(),
  stopLine: z.number(),
  totalLines: z.number(),
  isWhole: z.boolean(),
  isLineCut: z.boolean().describe("Whether this one line is too long to be shown whole"),
});

const OUTPUT = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      type: z.enum(TYPES),
      status: z.enum(STATUSES),
      title: z.string(),
      url: z.string().optional().describe("Where the document comes from: cite it"),
      score: z.number().describe("The highest score of its parts, 0 to 1"),
      metadata: z.record(z.string(), z.unknown()).describe("Long values are cut"),
      parts: z.array(
        z.object({
          text: z.string(),
          score: z.number().describe("0 to 1; 1 if the query is equal to this text, the title or the question"),
          startLine: z.number().describe("Counted from 1 over the document's text"),
          stopLine: z.number(),
          context: z
            .object({
              text: z.string(),
              startLine: z.number(),
              stopLine: z.number(),
              headings: z.array(z.string()).describe("Those above the part, from the highest to the nearest"),
            })
            .optional()
            .describe("The text around the part, unless a part before it has the same"),
        }),
      ),
      content: WINDOW.optional(),
    }),
  ),
  partsLeftOut: z.number().describe("Parts that were left out, since the answer would have been too long"),
});

type Found = z.infer<typeof OUTPUT>["results"][number];

export const addSearchKnowledge: AddTool = (server, client) => {
  server.registerTool(
    "search_knowledge",
    {
      title: "Search the knowledge",
      description: `Searches everything that this knowledge base holds (articles, web pages, PDFs, documents, tables, questions with answers) and returns the best documents first, each with the one to three parts that match best, their exact lines, and a score.
Use it before you answer anything that the knowledge base may say, and again with other words where nothing fits. Scores lie between 0 and 1 and can be compared between questions; a low one means that the document may be about something else, so read before you rely on it. Cite the title with its lines, and the url where there is one. If nothing answers the question, say so.`,
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: READS,
    },
    (
      {
        query,
        limit,
        type,
        metadata = {},
        filters: more,
        document_id: id,
        context,
        context_characters: contextCharacters,
        include_content: includeContent,
        from_line: from,
      },
      ctx,
    ) =>
      answer(async () => {
        const named = Object.entries(metadata).map(([key, value]) => [`metaData.${key}`, value] as const);
        const plain = {
          ...Object.fromEntries(named),
          ...(type !== undefined && { type }),
          ...(id !== undefined && { resourceDocId: id }),
        };
        // Boundary: the server validates what a model has written.
        const filters = more === undefined ? plain : { and: [plain, more as SearchFilter] };
        const { signal } = ctx.mcpReq;
        // Whole texts have the contexts in them.
        const around = includeContent ? {} : { context, contextCharacters };
        const results = await client.search(query, { topK: limit, includeContent, filters, ...around, signal });
        return toldDocuments(results, includeContent ? from : undefined);
      }),
  );
};

/**
 * Returns search results as text and as data, within the limit of one answer.
 * @param fromLine first line of the documents' whole text; undefined to leave the text out
 */
export function toldDocuments(results: readonly SearchResult[], fromLine: number | undefined) {
  const room = { left: ANSWER_CHARACTERS_MAX, partsLeftOut: 0 };
  const found = results.map((result) => foundOf(result, room));
  // The documents' texts share the characters that their parts leave.
  const share = Math.max(1_000, Math.floor(room.left / Math.max(1, results.length)));
  const shown = found.map((one, i) => {
    if (fromLine === undefined) return one;
    const text = (results[i]?.content ?? []).map(({ md }) => md).join("\n");
    return { ...one, content: lineWindow(text, fromLine, share) };
  });
  return { text: textOf(shown, room.partsLeftOut), structured: { results: shown, partsLeftOut: room.partsLeftOut } };
}

function foundOf(result: SearchResult, room: { left: number; partsLeftOut: number }): Found {
  const { resourceDocId: id, type, status, url, bestMatchScore: score, metaData } = result;
  const { title = id, ...others } = metaData;
  const parts: Found["parts"] = [];
  for (const { text, similarity, start, stop, context } of result.similarTextParts) {
    if (text.length > room.left) {
      room.partsLeftOut += 1;
      continue;
    }
    room.left -= text.length;
    const part = { text, score: similarity, startLine: start, stopLine: stop };
    const isShown = context !== undefined && context.text.length <= room.left;
    if (isShown) room.left -= context.text.length;
    parts.push(isShown ? { ...part, context: toldContext(context) } : part);
  }
  return {
    ...{ id, type, status, title: oneLine(String(title), ENTRY_CHARACTERS_MAX), score, parts },
    metadata: boundedMetadata(others, 4 * ENTRY_CHARACTERS_MAX).metadata,
    ...(url !== undefined && url.length <= 2_048 && { url }),
  };
}

function toldContext({ text, start, stop, headings }: PartContext): NonNullable<Found["parts"][number]["context"]> {
  const told = headings.map((heading) => oneLine(heading, ENTRY_CHARACTERS_MAX));
  return { text, startLine: start, stopLine: stop, headings: told };
}

function textOf(results: readonly Found[], partsLeftOut: number): string {
  if (results.length === 0) return "Nothing was found. Try other words, or fewer filters.";
  const count = results.length === 1 ? "1 document. " : `${results.length} documents, best first. `;
  const documents = results.map((result, i) => {
    const facts = [
      `id ${oneLine(result.id, ENTRY_CHARACTERS_MAX)}`,
      result.type,
      ...(result.status === "active" ? [] : [result.status]),
    ];
    const head = `[${i + 1}] ${result.title} (score ${result.score.toFixed(2)})\n${[...facts, ...(result.url === undefined ? [] : [oneLine(result.url, 2_048)])].join(" · ")}`;
    const metadata =
      Object.keys(result.metadata).length === 0
        ? []
        : [`metadata ${oneLine(JSON.stringify(result.metadata), 4 * ENTRY_CHARACTERS_MAX + 10)}`];
    const parts = result.parts.map(partText);
    return [head, ...metadata, ...parts, ...contentText(result.content)].join("\n");
  });
  const left =
    partsLeftOut === 0 ? [] : [`${partsLeftOut} more parts are not shown; ask for fewer documents to see them.`];
  return [`${count}${MARKED_AS_QUOTED}`, ...documents, ...left].join("\n\n");
}

/** A part with its place and score. With a context, it is the context, which has the part in it. */
function partText({ text, score, startLine, stopLine, context }: Found["parts"][number]): string {
  const place = linesOf(startLine, stopLine);
  const scored = `score ${score.toFixed(2)}`;
  if (context === undefined) return `${place} (${scored}):\n${quoted(text)}`;
  const under = context.headings.length === 0 ? "" : `, under ${JSON.stringify(context.headings.join(" > "))}`;
  const isWider = context.startLine < startLine || context.stopLine > stopLine;
  const around = isWider ? `, in ${linesOf(context.startLine, context.stopLine)}` : "";
  return `${place} (${scored})${around}${under}:\n${quoted(context.text)}`;
}

function contentText(content: LineWindow | undefined): string[] {
  if (content === undefined) return [];
  const { startLine, stopLine, totalLines, isWhole, isLineCut } = content;
  const head = isWhole ? "Its whole text:" : `Of its text ${linesOf(startLine, stopLine)} of ${totalLines}:`;
  const cut = isLineCut ? ["This line is too long to be shown whole."] : [];
  const more =
    stopLine < totalLines ? [`There is more: ask again with document_id and from_line ${stopLine + 1}.`] : [];
  return [head, quoted(content.text), ...cut, ...more];
}

function linesOf(start: number, stop: number): string {
  return start === stop ? `line ${start}` : `lines ${start} to ${stop}`;
}
