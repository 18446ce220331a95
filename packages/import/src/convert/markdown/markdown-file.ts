import { basename, extname } from "node:path";
import { TITLE_CHARACTERS_MAX } from "@loredex/core";
import { decodeText } from "../../files/decoded-text.ts";
import type { Conversion, ConvertedPage, RawFile } from "../conversion.ts";
import { EMPTY_NOTE, guessedNote, readableText } from "../readable-text.ts";
import { splitFrontMatter } from "./front-matter.ts";

/** @throws ConversionError */
export async function convertMarkdown({ bytes, name, charset, type }: RawFile): Promise<Conversion> {
  const decoded = readableText(() => decodeText(bytes, charset === undefined ? {} : { declared: charset }));
  const page = markdownPage(decoded.text, { name, ...(type === undefined ? {} : { type }) });
  if (page.content.every(({ md }) => md.trim() === "")) return { faqs: [], notes: [EMPTY_NOTE] };
  const isDraft = page.metaData.draft === true;
  return { page, faqs: [], notes: guessedNote(decoded), ...(isDraft ? { isDraft } : {}) };
}

/**
 * Converts a markdown file to a document: its front matter becomes metaData, and the rest is the unchanged content. The title is that of the front matter, else
 * the first `# heading`, else the name of the file.
 * @throws FrontMatterError
 */
export function markdownPage(
  text: string,
  { name, type = "DOCUMENT" }: { readonly name: string; readonly type?: ConvertedPage["type"] },
): ConvertedPage {
  const { metaData, body, firstLine } = splitFrontMatter(text);
  const given = metaData.title;
  const title =
    typeof given === "string" && given.trim() !== "" ? given : (firstHeading(body) ?? basename(name, extname(name)));
  return { type, metaData: { ...metaData, title, sourceLine: firstLine }, content: [{ md: body }] };
}

const HEADING = /^ {0,3}#[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Maximum length of a line with a title heading. It bounds the lines that patterns check. */
const LINE_CHARACTERS_MAX = TITLE_CHARACTERS_MAX + 100;

/** Returns the text of the first heading of level 1 outside code blocks. */
function firstHeading(body: string): string | undefined {
  let fence: string | undefined;
  for (const line of linesOf(body)) {
    if (line.length > LINE_CHARACTERS_MAX) continue;
    const [beginning = "", marks] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) && line.slice(beginning.length).trim() === "") fence = undefined;
    } else if (marks !== undefined) {
      fence = marks;
    } else {
      const title = HEADING.exec(line)?.[1]
        ?.replace(/[ \t]#+[ \t]*$/, "")
        .trim();
      if (title !== undefined && !/^#*$/.test(title)) return title;
    }
  }
  return undefined;
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    at = end + 1;
  }
}
