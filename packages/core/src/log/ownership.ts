import { ValidationError } from "../model/errors.ts";
import type { DocumentOrigin } from "../model/sources.ts";
import type { SourceTable } from "./source-table.ts";

/** Whether an import from `by` may replace a document of `owner`: the source must be the same, or its heir. Undefined means that no source was named. */
export function isOwn(
  owner: DocumentOrigin | undefined,
  by: DocumentOrigin | undefined,
  sources: SourceTable,
): boolean {
  if (owner?.source === by?.source) return true;
  return owner !== undefined && by !== undefined && sources.isHeir(by.source, owner.source);
}

/** The error for an import that would change a document of another source. */
export function notOwn(id: string, owner: DocumentOrigin | undefined): ValidationError {
  const whose =
    owner === undefined ? "was imported without a source" : `belongs to the source ${JSON.stringify(owner.source)}`;
  const message = `the document ${id} ${whose}, and only from there it is replaced or removed. If this is another one, give it another id (a file gets one with --source NAME, a line says its own); if the source lies elsewhere now, say so (loredex source move); if this takes its place, take the old one out first (loredex remove)`;
  return new ValidationError([{ message, field: "resourceDocId", type: "otherSource" }]);
}

/** Whether a document came from this source and, if an argument is named, from this argument. */
export function isBroughtBy(owner: DocumentOrigin | undefined, { source, argument }: DocumentOrigin): boolean {
  return owner?.source === source && (argument === undefined || owner.argument === argument);
}
