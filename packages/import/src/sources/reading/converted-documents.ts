import type { Conversion } from "../../convert/conversion.ts";
import { questionIdOf } from "../../files/document-ids.ts";

/** The documents that a file or a page has become. */
export interface ConvertedDocuments {
  /** The page first, then its questions. */
  readonly documents: readonly ConvertedDocument[];
  /** What is to be said of them, a line each. */
  readonly notes: readonly string[];
}

/** As a bot takes it. */
interface ConvertedDocument extends Readonly<Record<string, unknown>> {
  readonly resourceDocId: string;
}

/**
 * Gives what a file was converted to its ids: the file's own, and for each question one that stays the same as long as the question does.
 * @param id that of the file
 * @param url where people find it
 */
export function documentsOf({ page, faqs, notes }: Conversion, id: string, url?: string): ConvertedDocuments {
  const place = url === undefined ? {} : { url };
  const documents: ConvertedDocument[] = page === undefined ? [] : [{ resourceDocId: id, ...place, ...page }];
  const questions = new Set<string>();
  let doubled = 0;
  for (const { question, answer, alternatives = [], metaData } of faqs) {
    const resourceDocId = questionIdOf(id, question);
    if (questions.has(resourceDocId)) doubled += 1;
    else {
      const others = alternatives.length === 0 ? {} : { alternatives };
      const told = metaData === undefined ? {} : { metaData };
      documents.push({ resourceDocId, type: "QNA", ...place, question, answer, ...others, ...told });
    }
    questions.add(resourceDocId);
  }
  if (doubled === 0) return { documents, notes };
  const again = doubled === 1 ? "one question stands" : `${doubled} questions stand`;
  return { documents, notes: [...notes, `${again} in it again; the first answer is taken`] };
}

/** What a document takes, about: the text that it came to, whatever its file had. */
export function bytesOf(document: unknown): number {
  if (typeof document === "string") return Buffer.byteLength(document);
  if (typeof document !== "object" || document === null) return 8;
  return Object.values(document).reduce((bytes: number, value: unknown) => bytes + bytesOf(value), 8);
}
