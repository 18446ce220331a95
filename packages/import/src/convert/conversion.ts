import type { ContentDocumentInput, JsonObject } from "@loredex/core";
import type { FileKind } from "./kinds.ts";

/** A file as found. */
export interface RawFile {
  readonly bytes: Uint8Array;
  /** The last part of its path or address. It is the title if nothing better is known. */
  readonly name: string;
  readonly kind: FileKind;
  /** The charset from the server, for example `iso-8859-1`. */
  readonly charset?: string;
  /** The address that it was fetched from, the base of relative links. */
  readonly url?: string;
  /** Type of the document that a markdown file becomes. Default DOCUMENT. */
  readonly type?: ContentDocumentInput["type"];
}

/** The result of a conversion: documents without ids. */
export interface Conversion {
  /** The file itself; absent if all of it became questions with answers. */
  readonly page?: ConvertedPage;
  /** Questions with answers in the file, in file order. */
  readonly faqs: readonly ConvertedFaq[];
  /** Notes for the owner on content that was left out, one line each. */
  readonly notes: readonly string[];
  /** True if its owner marked it as unfinished. Default false. */
  readonly isDraft?: boolean;
  /** Absolute addresses of the page's links, in page order, each once. Only for a file with an address. */
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
  /** Question variants. */
  readonly alternatives?: readonly string[];
  /** The answer's position in its file, as `placeInFile` reads it. Default nothing. */
  readonly metaData?: JsonObject;
}

/** Converts files of one kind. @throws ConversionError */
export type Converter = (file: RawFile) => Promise<Conversion>;

/** A file that cannot be converted. The message tells its owner why, and what can be done. */
export class ConversionError extends Error {
  override readonly name: string = "ConversionError";

  constructor(
    message: string,
    /** The file's line of the problem, from 1. */
    readonly line?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
