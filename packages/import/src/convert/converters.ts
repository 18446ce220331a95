import type { Converter, FileKind } from "./conversion.ts";

/** The converter of each kind of file. Its libraries are loaded with the first file of the kind. */
export type Converters = Readonly<Partial<Record<FileKind, () => Promise<Converter>>>>;

/**
 * Converters of our own take time linear in the text, and run in the process of the import. All others read formats in which a file may be made to break them.
 * They run in a process of their own (`isolated/`).
 */
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
