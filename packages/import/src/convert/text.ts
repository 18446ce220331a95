import { basename, extname } from "node:path";
import { decodeText } from "../files/decoded-text.ts";
import type { Conversion, RawFile } from "./conversion.ts";
import { EMPTY_NOTE, guessedNote, readableText } from "./readable-text.ts";

/** Converts a plain text to a document. It stays unchanged, line by line. */
export async function convertText({ bytes, name, charset }: RawFile): Promise<Conversion> {
  const decoded = readableText(() => decodeText(bytes, charset === undefined ? {} : { declared: charset }));
  // Only old Macs end lines with `\r`.
  const md = decoded.text.includes("\n") ? decoded.text : decoded.text.replaceAll("\r", "\n");
  if (md.trim() === "") return { faqs: [], notes: [EMPTY_NOTE] };
  const title = titleOf(md) ?? basename(name, extname(name));
  const notes = guessedNote(decoded);
  return { page: { type: "DOCUMENT", metaData: { title, sourceLine: 1 }, content: [{ md }] }, faqs: [], notes };
}

const TITLE_CHARACTERS_MAX = 100;
/** A title must begin within this number of characters. */
const BEGINNING_CHARACTERS = 2_000;

/** Returns the first line, if it stands alone and is no sentence. */
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
