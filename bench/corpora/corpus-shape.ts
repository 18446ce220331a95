/** One passage as a peer gets it: a document of its own. */
export interface PassageText {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/** Files of JSON, a line each, that processes read one after the other: none holds text that its engine does not. */
export interface Corpus {
  readonly directory: string;
  readonly passages: number;
  /** Of the passages' text in UTF-8, with the title once for each document. */
  readonly bytes: number;
}

export const CORPUS_FILES = { documents: "documents.jsonl", passages: "passages.jsonl", questions: "questions.json" };
