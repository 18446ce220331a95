import type { Converter, FileKind } from "./conversion.ts";

/** Who converts files of which kind. What a kind needs is loaded when the first file of it comes. */
export type Converters = Readonly<Partial<Record<FileKind, () => Promise<Converter>>>>;

/**
 * Ours cost no more than the text is long, and run where the import does. All others read formats that a file may have been made to
 * break, and run in a process of their own (`isolated/`).
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
