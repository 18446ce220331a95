import { basename, extname } from "node:path";
import type { ContentDocumentInput } from "@loredex/core";
import { splitFrontMatter } from "./front-matter.ts";

const HEADING = /^[ ]{0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/m;

/**
 * A markdown file as a document: its front matter becomes metaData, the rest is the content, as it stands. The title is
 * that of the front matter, else the first top heading, else the name of the file.
 * @throws FrontMatterError
 */
export function markdownDocument(
  text: string,
  { id, path, type }: { readonly id: string; readonly path: string; readonly type: ContentDocumentInput["type"] },
): ContentDocumentInput {
  const { metaData, body, firstLine } = splitFrontMatter(text);
  const given = metaData.title;
  const title =
    typeof given === "string" && given.trim() !== ""
      ? given
      : (HEADING.exec(body)?.[1]?.trim() ?? basename(path, extname(path)));
  return { resourceDocId: id, type, metaData: { ...metaData, title, sourceLine: firstLine }, content: [{ md: body }] };
}
