/** One list of a bot's articles and imported documents, in pages. */

import type { DOCUMENT_SORTS, DOCUMENT_STATES, DocumentType } from "./options.ts";

/** The orders of the list. By `updatedAt`, rows without one count as newer than what was written before them. Ties are in the order of ids. */
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];

/** The status of a row: an article is `uploading` until searches find its newest version, then `active`. */
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** A page of the list, and what is on the list. */
export interface DocumentPageRequest {
  /** Rows before the page: 0 to {@link DOCUMENT_OFFSET_MAX}. Default 0. */
  readonly offset?: number;
  /** Most rows of the page: 1 to {@link PAGE_DOCUMENTS_MAX}. Default {@link PAGE_DOCUMENTS_DEFAULT}. */
  readonly limit?: number;
  /** Default `updatedAt:desc`: the last change first. */
  readonly sort?: DocumentSort;
  /** Only rows with this part in their title, id, address or source; upper and lower case are alike. 1 to {@link DOCUMENT_SEARCH_CHARACTERS_MAX} characters. */
  readonly search?: string;
  readonly type?: DocumentType;
  readonly status?: DocumentState;
}

/** An article or an imported document without its content. */
export interface DocumentRow {
  readonly id: string;
  readonly type: DocumentType;
  readonly status: DocumentState;
  /** The title of an article, the question of a QNA, or the title in the metadata. Absent if there is none. */
  readonly title?: string;
  readonly url?: string;
  /** The source of an imported document. Absent for articles, and for documents that a program imported without one. */
  readonly source?: string;
  /** Of an article the characters that its quota counts: code points of title and body. Of a document the UTF-16 units of its content. */
  readonly characters: number;
  /** Time of the last change of an article, or of the content or the status of an imported document: ISO 8601, UTC. Absent for content that versions before these times imported. */
  readonly updatedAt?: string;
  readonly isArticle: boolean;
}

export interface DocumentPage {
  readonly rows: readonly DocumentRow[];
  /** The number of rows on all pages. */
  readonly total: number;
}
