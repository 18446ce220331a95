import type { Conversion } from "../../convert/conversion.ts";
import { questionIdOf } from "../../files/document-ids.ts";

/** The documents of a converted file or page. */
export interface ConvertedDocuments {
  /** The page first, then its questions. */
  readonly documents: readonly ConvertedDocument[];
  /** Notes on them, one line each. */
  readonly notes: readonly string[];
}

/** A document as a bot takes it. */
interface ConvertedDocument extends Readonly<Record<string, unknown>> {
  readonly resourceDocId: string;
}

/**
 * Gives ids to the documents of a conversion: the page has the file's id, and each question has one that depends on the question alone.
 * @param id the file's id
 * @param url the public address of the file
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

/** Estimates the bytes of a document from its text, whatever the size of its file. */
export function bytesOf(document: unknown): number {
  if (typeof document === "string") return Buffer.byteLength(document);
  if (typeof document !== "object" || document === null) return 8;
  return Object.values(document).reduce((bytes: number, value: unknown) => bytes + bytesOf(value), 8);
}
