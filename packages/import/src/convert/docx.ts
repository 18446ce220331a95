import { basename, extname } from "node:path";
import { DOCUMENT_BYTES_MAX } from "@loredex/core";
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { type Conversion, ConversionError, type RawFile } from "./conversion.ts";
import { keepNoMessages } from "./docx/messages.ts";
import { preparedNumbering } from "./docx/numbering.ts";
import { type Prepared, prepared, styleOf } from "./docx/prepared.ts";
import { readStyles } from "./docx/styles.ts";
import { withBoldHeadings, withTableHeaders } from "./docx/tree.ts";
import { htmlToMarkdown } from "./html/html-to-markdown.ts";
import { type OfficeFile, openOfficeFile, relationsOf } from "./office/office-file.ts";
import { propertiesOf } from "./office/properties.ts";
import { readXml } from "./office/xml.ts";

/** Maps paragraphs and letters to HTML. Our own styles are set by `docx/prepared.ts`. */
const STYLE_MAP = [
  ...([1, 2, 3, 4, 5, 6] as const).map((level) => `p.${styleOf(`heading${level}`)} => h${level}:fresh`),
  `p.${styleOf("title")} => h1:fresh`,
  `p.${styleOf("code")} => pre:separator('\\n')`,
  `p.${styleOf("quote")} => blockquote > p:fresh`,
  `p.${styleOf("left out")} => !`,
  ...["Source Text", "HTML Code", "Verbatim Char", "Code", "Code Char", "HTML Typewriter"].map(
    (name) => `r[style-name='${name}'] => code`,
  ),
];

/** Converts a text document of an office program. Its changes are accepted. Comments, headers, footers and tables of contents are left out. */
export async function convertDocx({ bytes, name }: RawFile): Promise<Conversion> {
  const file = openOfficeFile(bytes, { extension: ".docx", isWanted });
  const main =
    [...relationsOf(file, "").values()].find(({ type }) => type === "officeDocument")?.target ?? "word/document.xml";
  if (file.xml(main) === undefined)
    throw new ConversionError("the file is no .docx file; save it as .docx in a word processor");
  const { archive, document } = preparedFile(file, main);
  const md = htmlToMarkdown(withoutMarks(await htmlOf(archive, document)));
  if (md.trim() === "")
    throw new ConversionError("the file has no text; if it is made of pictures, its text has to be recognised first");
  if (Buffer.byteLength(md) > DOCUMENT_BYTES_MAX) {
    throw new ConversionError(
      `its text has more than ${DOCUMENT_BYTES_MAX / 1_048_576} MiB; divide it into several files`,
    );
  }
  const properties = propertiesOf(file);
  const title = document.title ?? properties.title ?? document.heading ?? basename(name, extname(name));
  return {
    page: { type: "DOCUMENT", metaData: { ...properties, title }, content: [{ md: `${md}\n` }] },
    faqs: [],
    notes: [],
  };
}

/** True for texts and the parts that they refer to. Pictures, fonts, headers and footers are not read. */
function isWanted(part: string): boolean {
  return (
    /\.(?:xml|rels)$/i.test(part) &&
    !/\/(?:header|footer|theme|media|embeddings|charts|diagrams|glossary|customXml)/i.test(`/${part}`)
  );
}

/** Prepares the file for mammoth, which unpacks no more than we did. */
function preparedFile(file: OfficeFile, main: string): { readonly archive: Buffer; readonly document: Prepared } {
  const styles = readStyles(partOf(file, main, "styles"));
  const numberings = numberingParts(file, main);
  let document: Prepared | undefined;
  const parts: Record<string, Uint8Array> = {};
  for (const part of file.names) {
    const xml = file.xml(part) ?? "";
    readXml(xml, {});
    const isText = part === main || /\/(?:foot|end)notes\.xml$/i.test(part);
    const own = isText ? prepared(xml, styles) : undefined;
    if (part === main) document = own;
    const other = numberings.has(part) ? preparedNumbering(xml, styles) : xml;
    parts[part] = Buffer.from(own?.xml ?? other);
  }
  if (document === undefined) throw new ConversionError("the file has no text");
  return { archive: Buffer.from(zipSync(parts, { level: 0 })), document };
}

/** The parts in which mammoth looks up the format of lists. */
function numberingParts(file: OfficeFile, main: string): ReadonlySet<string> {
  const related = [...relationsOf(file, main).values()].filter(({ type }) => type === "numbering");
  return new Set(["word/numbering.xml", ...related.map(({ target }) => target)]);
}

function partOf(file: OfficeFile, main: string, type: string): string | undefined {
  const target = [...relationsOf(file, main).values()].find((relation) => relation.type === type)?.target;
  return target === undefined ? undefined : file.xml(target);
}

async function htmlOf(buffer: Buffer, { hasHeadings }: Prepared): Promise<string> {
  keepNoMessages();
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: STYLE_MAP,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
        transformDocument: (tree) => {
          const headed = withTableHeaders(tree);
          return hasHeadings ? headed : withBoldHeadings(headed, styleOf("heading2"));
        },
      },
    );
    return value;
  } catch (cause) {
    throw new ConversionError("the file is damaged; open it in a word processor and save it again", undefined, {
      cause,
    });
  }
}

/** Replaces links between notes and their references by plain numbers. */
function withoutMarks(html: string): string {
  return html
    .replace(/<sup><a href="#(?:foot|end)note-[^"]*" id="[^"]*">(\[\d+\])<\/a><\/sup>/g, "$1")
    .replace(/ ?<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g, "");
}
