import { ValidationError } from "../domain/errors.ts";
import type { DocumentOrigin } from "../domain/sources.ts";
import type { SourceTable } from "./source-table.ts";

/** Refuses an import of a document that belongs to another source. `owner` and `by` are undefined where no source was named. @throws ValidationError */
export function requireOwn(
  id: string,
  owner: DocumentOrigin | undefined,
  by: DocumentOrigin | undefined,
  sources: SourceTable,
): void {
  if (owner?.source === by?.source) return;
  if (owner !== undefined && by !== undefined && sources.isHeir(by.source, owner.source)) return;
  const whose =
    owner === undefined ? "was imported without a source" : `belongs to the source ${JSON.stringify(owner.source)}`;
  const message = `the document ${id} ${whose}, and only from there it is replaced or removed. If this is another one, let its import have a name of its own (--source NAME), or give it another id; if it is the same, take the old one out first (loredex remove)`;
  throw new ValidationError([{ message, field: "resourceDocId", type: "otherSource" }]);
}

/** Whether a document was brought by this source and, where one is named, by this argument of it. */
export function isBroughtBy(owner: DocumentOrigin | undefined, { source, argument }: DocumentOrigin): boolean {
  return owner?.source === source && (argument === undefined || owner.argument === argument);
}
