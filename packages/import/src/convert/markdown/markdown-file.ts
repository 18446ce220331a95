import { basename, extname } from "node:path";
import { type ContentDocumentInput, TITLE_CHARACTERS_MAX } from "@loredex/core";
import { splitFrontMatter } from "./front-matter.ts";

/**
 * A markdown file as a document: its front matter becomes metaData, the rest is the content, as it stands. The title is
 * that of the front matter, else the first `# heading`, else the name of the file.
 * @throws FrontMatterError
 */
export function markdownDocument(
  text: string,
  { id, path, type }: { readonly id: string; readonly path: string; readonly type: ContentDocumentInput["type"] },
): ContentDocumentInput {
  const { metaData, body, firstLine } = splitFrontMatter(text);
  const given = metaData.title;
  const title =
    typeof given === "string" && given.trim() !== "" ? given : (firstHeading(body) ?? basename(path, extname(path)));
  return { resourceDocId: id, type, metaData: { ...metaData, title, sourceLine: firstLine }, content: [{ md: body }] };
}

const HEADING = /^ {0,3}#[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** No heading that could be a title is longer, and the patterns never see a line without bounds. */
const LINE_CHARACTERS_MAX = TITLE_CHARACTERS_MAX + 100;

/** The text of the first heading of level 1 that is not in a code block. */
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
