import { DocumentPages, type DocumentPagesDeps } from "../log/document-pages.ts";
import { documentsIn } from "../log/listings.ts";
import type { BotState } from "../log/state.ts";
import type { DocumentPage, DocumentPageRequest } from "../model/document-page.ts";
import type { DocumentOrigin } from "../model/sources.ts";
import type {
  DocumentFilter,
  DocumentStatus,
  ImportOptions,
  ImportOutcome,
  RemoveOptions,
  StoredDocument,
} from "../model/types.ts";
import { frozen } from "../platform/frozen.ts";
import type { Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import { originOf } from "./origin-shape.ts";

/** Dependencies of {@link ImportedDocuments}. */
export interface ImportedDocumentsDeps extends Pick<DocumentPagesDeps, "searchable"> {
  readonly state: BotState;
  /** The write path. */
  readonly ingest: {
    importDocument(input: unknown, origin: DocumentOrigin | undefined): Promise<ImportOutcome>;
    setDocumentStatus(id: string, status: DocumentStatus): Promise<void>;
    removeDocument(id: string, by: DocumentOrigin | undefined): Promise<void>;
  };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
  /** The time slices in which long lists are made. */
  readonly slices: TimeSlices;
}

/** Documents that are converted between two yields. */
const SLICE_DOCUMENTS = 64;

/** The imported documents of an open bot. */
export class ImportedDocuments {
  readonly #deps: ImportedDocumentsDeps;
  readonly #pages: DocumentPages;

  constructor(deps: ImportedDocumentsDeps) {
    this.#deps = deps;
    this.#pages = new DocumentPages(deps);
  }

  async import(input: unknown, { source }: ImportOptions = {}): Promise<ImportOutcome> {
    await this.#deps.ready();
    return this.#deps.ingest.importDocument(input, originOf(source));
  }

  async setStatus(id: string, status: DocumentStatus): Promise<void> {
    await this.#deps.ready();
    await this.#deps.ingest.setDocumentStatus(id, status);
  }

  async remove(id: string, { source }: RemoveOptions = {}): Promise<void> {
    await this.#deps.ready();
    await this.#deps.ingest.removeDocument(id, originOf(source));
  }

  get(id: string): StoredDocument | undefined {
    return frozen(this.#deps.state.documents.get(id)?.document);
  }

  /** Documents that match the filter, as they are at the call, however long their list is. */
  async list(filter: DocumentFilter = {}): Promise<StoredDocument[]> {
    return this.#deps.slices.run(this.#listed(filter));
  }

  /** A page of the list of articles and imported documents. */
  async page(request: DocumentPageRequest): Promise<DocumentPage> {
    return this.#deps.slices.run(this.#pages.page(request));
  }

  *#listed(filter: DocumentFilter): Sliced<StoredDocument[]> {
    const documents: StoredDocument[] = [];
    for (const document of yield* documentsIn(this.#deps.state, filter)) {
      documents.push(frozen(document));
      if (documents.length % SLICE_DOCUMENTS === 0) yield;
    }
    return documents;
  }
}
