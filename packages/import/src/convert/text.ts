import { basename, extname } from "node:path";
import { decodeText } from "../files/decoded-text.ts";
import type { Conversion, RawFile } from "./conversion.ts";
import { EMPTY_NOTE, guessedNote, readableText } from "./readable-text.ts";

/** A plain text as a document: it stays as it stands, line by line. */
export async function convertText({ bytes, name, charset }: RawFile): Promise<Conversion> {
  const decoded = readableText(() => decodeText(bytes, charset === undefined ? {} : { declared: charset }));
  // Line ends of old Macs are none to anybody else.
  const md = decoded.text.includes("\n") ? decoded.text : decoded.text.replaceAll("\r", "\n");
  if (md.trim() === "") return { faqs: [], notes: [EMPTY_NOTE] };
  const title = titleOf(md) ?? basename(name, extname(name));
  const notes = guessedNote(decoded);
  return { page: { type: "DOCUMENT", metaData: { title, sourceLine: 1 }, content: [{ md }] }, faqs: [], notes };
}

const TITLE_CHARACTERS_MAX = 100;
/** Where a title may begin; one that comes later is none. */
const BEGINNING_CHARACTERS = 2_000;

/** The first line, where it stands alone and is no sentence. */
function titleOf(text: string): string | undefined {
  const lines = text
    .slice(0, BEGINNING_CHARACTERS)
    .split("\n")
    .map((line) => line.trim());
  const first = lines.findIndex((line) => line !== "");
  const [title = "", after = ""] = first < 0 ? [] : lines.slice(first);
  const isAlone = after === "" || /^(?:=+|-+|~+|\*+)$/.test(after);
  const isTitle =
    title.length >= 3 && title.length <= TITLE_CHARACTERS_MAX && /\p{L}/u.test(title) && !/[.,;:]$/.test(title);
  return isAlone && isTitle ? title.replace(/^#+[ \t]+/, "") : undefined;
}
