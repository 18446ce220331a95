import type { ContentDocumentInput, JsonObject } from "@loredex/core";

export type FileKind = "markdown" | "html" | "pdf" | "docx" | "csv" | "tsv" | "xlsx" | "text";

/** A file as it was found. */
export interface RawFile {
  readonly bytes: Uint8Array;
  /** The last part of its path or address: the title where nothing better is known. */
  readonly name: string;
  readonly kind: FileKind;
  /** The charset that a server told, for example `iso-8859-1`. */
  readonly charset?: string;
  /** The address that it was fetched from: relative links are resolved by it. */
  readonly url?: string;
  /** Type of the document that a markdown file becomes. Default DOCUMENT. */
  readonly type?: ContentDocumentInput["type"];
}

/** What a file becomes: documents that have no ids yet. */
export interface Conversion {
  /** The file itself; absent where all of it became questions with answers. */
  readonly page?: ConvertedPage;
  /** Questions with answers that stood in it, in its order. */
  readonly faqs: readonly ConvertedFaq[];
  /** What could not be taken of it though the rest went in, a line each, in words for its owner. */
  readonly notes: readonly string[];
  /** Its owner says that it is not finished. Default false. */
  readonly isDraft?: boolean;
  /** Absolute addresses that the page leads to, in its order, each once. Only of a file with an address. */
  readonly links?: readonly string[];
}

export interface ConvertedPage {
  readonly type: ContentDocumentInput["type"];
  /** With `title` at least. */
  readonly metaData: JsonObject & { readonly title: string };
  readonly content: readonly { readonly md: string }[];
}

export interface ConvertedFaq {
  readonly question: string;
  /** Markdown. */
  readonly answer: string;
  /** Other wordings of the question. */
  readonly alternatives?: readonly string[];
  /** Where the answer stands in its file, as `placeInFile` reads it. Default nothing. */
  readonly metaData?: JsonObject;
}

/** Converts files of one kind. @throws ConversionError */
export type Converter = (file: RawFile) => Promise<Conversion>;

/** A file that cannot be converted: why, in words for its owner, and what can be done about it. */
export class ConversionError extends Error {
  override readonly name: string = "ConversionError";

  constructor(
    message: string,
    /** The file's line where it goes wrong, from 1. */
    readonly line?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
