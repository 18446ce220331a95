import { type Bot, type DocumentOrigin, type ImportOutcome, kinds } from "@loredex/core";

/** The target of an import: a bot of an engine in this process, or of a running server. */
export interface ImportTarget extends Pick<Bot, "listSources" | "ownedDocuments" | "putSourceArgument"> {
  importDocument(document: unknown, options: { readonly source: DocumentOrigin }): Promise<ImportOutcome>;
  removeDocument(id: string, options: { readonly source: DocumentOrigin }): Promise<void>;
}

export const A_TARGET: kinds.Kind<ImportTarget> = kinds.anObjectWith<ImportTarget>(
  "a bot",
  "listSources",
  "ownedDocuments",
  "putSourceArgument",
  "importDocument",
  "removeDocument",
);
