import { extname } from "node:path";
import type { FileKind } from "./conversion.ts";

/** Every kind that there is, in the order in which they are told. */
const FILE_KINDS: readonly FileKind[] = ["markdown", "html", "pdf", "docx", "csv", "tsv", "xlsx", "text"];

const EXTENSIONS: Readonly<Record<FileKind, readonly string[]>> = {
  markdown: [".md", ".markdown", ".mdown", ".mkd", ".mdx"],
  html: [".html", ".htm", ".xhtml"],
  pdf: [".pdf"],
  docx: [".docx", ".docm"],
  csv: [".csv"],
  tsv: [".tsv", ".tab"],
  xlsx: [".xlsx", ".xlsm"],
  text: [".txt", ".text"],
};

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  FILE_KINDS.flatMap((kind) => EXTENSIONS[kind].map((extension): [string, FileKind] => [extension, kind])),
);

/** The kind that a path or a name says, in upper or lower case; undefined for one that says none of ours. */
export function kindOfName(path: string): FileKind | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}
