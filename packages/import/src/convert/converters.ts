import type { Converter } from "./conversion.ts";
import type { FileKind } from "./kinds.ts";

/** The converter of each kind of file. Its libraries are loaded with the first file of the kind. */
export type Converters = Readonly<Record<FileKind, () => Promise<Converter>>>;

export const CONVERTERS: Converters = {
  markdown: async () => (await import("./markdown/markdown-file.ts")).convertMarkdown,
  pdf: async () => (await import("./pdf/pdf.ts")).convertPdf,
  html: async () => (await import("./html/html.ts")).convertHtml,
  text: async () => (await import("./text.ts")).convertText,
  docx: async () => (await import("./docx.ts")).convertDocx,
  csv: async () => (await import("./tables/csv.ts")).convertCsv,
  tsv: async () => (await import("./tables/csv.ts")).convertCsv,
  xlsx: async () => (await import("./tables/xlsx.ts")).convertXlsx,
};

/**
 * Kinds whose converters are our own: they take time linear in the text, and run in the process of the import. All others read formats in which a file may be
 * made to break them. They run in a process of their own (`isolated/`).
 */
const OWN_KINDS: ReadonlySet<FileKind> = new Set(["markdown", "text"]);

/** True if files of this kind are converted in the importing program. */
export function isOwnKind(kind: FileKind): boolean {
  return OWN_KINDS.has(kind);
}
