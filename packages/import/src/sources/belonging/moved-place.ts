import { basename, resolve } from "node:path";
import { type ArgumentPlace, LoredexError, type SourceInfo } from "@loredex/core";
import { pageAddress } from "../../web/page-address.ts";
import { isOfPath } from "./plan.ts";
import { isGlob, type Target } from "./target.ts";

/** Returns the source of this name, or of the path that it stands for. @throws LoredexError `SOURCE_NOT_FOUND` */
export function sourceNamed(sources: readonly SourceInfo[], given: string): SourceInfo {
  const found = [given, pageAddress(given) ?? resolve(given)].flatMap((name) =>
    sources.filter((source) => source.name === name),
  )[0];
  if (found !== undefined) return found;
  throw new LoredexError(
    "SOURCE_NOT_FOUND",
    `There is no source ${given}; "loredex source list" shows those that there are.`,
  );
}

/**
 * Plans the move of a source to another place: the argument that moves, and the source's new name. A source named by its path gets the new path as its name,
 * and so does one from before sources were kept. Ids stay.
 * @throws LoredexError
 */
export function movedPlace(source: SourceInfo, target: Target): { readonly to: string; readonly place: ArgumentPlace } {
  const { name, arguments: known } = source;
  if (target.kind === "address" || known.some(({ kind }) => kind === "address")) {
    const message = `The source "${name}" cannot be moved: the ids of pages are their addresses. Import the new address, and take the old source out (loredex source remove).`;
    throw new LoredexError("VALIDATION", message);
  }
  const isFormer = known.length === 0 && name.startsWith("file:");
  const to = isFormer || isOfPath(source) ? target.real : name;
  const named = known.filter(({ path }) => basename(path) === target.base);
  const [same, ...others] = named.length > 0 ? named : known;
  if (others.length > 0) {
    const message = `The source "${name}" has several arguments, and which of them lies at "${target.given}" now is not clear: import it there with --source, which needs no move.`;
    throw new LoredexError("VALIDATION", message);
  }
  if (same !== undefined && isGlob(same)) {
    const message = `The source "${name}" brought what a pattern matches, which cannot be moved: import that from where it lies now with --source NAME, and take this source out.`;
    throw new LoredexError("VALIDATION", message);
  }
  if (same !== undefined && same.kind !== target.kind) {
    const message = `The source "${name}" brought a ${same.kind}, and "${target.given}" is a ${target.kind}.`;
    throw new LoredexError("VALIDATION", message);
  }
  const { kind, real: path } = target;
  if (same !== undefined) return { to, place: { name: same.name, kind, path, ids: same.ids } };
  const ids = isFormer ? name : `file:${name}`;
  return { to, place: { name: target.base, kind, path, ids: kind === "folder" ? `${ids}/` : ids } };
}
