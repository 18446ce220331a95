import type { DocumentOrigin, OwnedDocument } from "@loredex/core";
import { fileIdOf } from "../../files/document-ids.ts";
import type { KnownDocument } from "./brought-files.ts";
import type { KnownFiles } from "./known-files.ts";
import type { PlannedTarget } from "./plan.ts";
import { pathInside } from "./target.ts";

/** A file, or a page at an address, that an import has found. */
export interface FoundFile {
  readonly real: string;
  /** The relative path from the argument, with `/`; empty for the argument itself. */
  readonly inside: string;
}

/** The document and source of a file; `id` is the file's, unless the file has ids itself. */
export interface Placed {
  readonly kind: "placed";
  readonly id: string;
  readonly origin: DocumentOrigin;
}

export type Placement =
  | Placed
  /** This import has brought it already. */
  | { readonly kind: "again" }
  | { readonly kind: "refused"; readonly message: string };

/** State shared by the arguments of one import: a file is imported once, and an id by one file. */
export class Placing {
  readonly #known: KnownFiles;
  readonly #isNamed: boolean;
  readonly #files = new Set<string>();
  readonly #fileOf = new Map<string, string>();
  readonly #held = new Set<string>();
  readonly #unread = new Set<string>();

  constructor(known: KnownFiles, { isNamed }: { readonly isNamed: boolean }) {
    this.#known = known;
    this.#isNamed = isNamed;
  }

  /** True if the import has found this document, or may have: its file exists, but could not be fully read. */
  holds(document: OwnedDocument): boolean {
    const file = this.#known.fileOf(document);
    return this.#held.has(document.id) || (file !== undefined && this.#unread.has(file));
  }

  /** Records a file that was not fully read. */
  unread(real: string): void {
    this.#unread.add(real);
  }

  /** Records a file that exists but is left alone: its documents from the argument stay. Returns their number. */
  keep({ source, place }: PlannedTarget, real: string): number {
    if (this.#unread.has(real)) return 0;
    this.#unread.add(real);
    const isOwn = ({ origin }: KnownDocument): boolean => origin.source === source && origin.argument === place.name;
    return this.#known.at(real).filter(isOwn).length;
  }

  /** Finds the document and source of a file: the ones that it already has, from any argument. */
  place(plan: PlannedTarget, file: FoundFile): Placement {
    const isPage = plan.target.kind === "address";
    const way = isPage ? undefined : pathInside(plan.target.real, file.real);
    const known = this.#known.at(file.real);
    if (this.#files.has(file.real)) return { kind: "again" };
    this.#files.add(file.real);
    const own = known.find(({ origin }) => origin.source === plan.source);
    if (own !== undefined) return placedAs(own);
    const ofPath = known.find(({ origin }) => this.#known.isOfPath(origin.source));
    if (this.#isNamed && ofPath !== undefined) {
      const { source } = ofPath.origin;
      const message = `the ${isPage ? "page" : "file"} belongs to the source "${source}" as ${ofPath.id}; import it without --source, or take that source out first (loredex source remove)`;
      return { kind: "refused", message };
    }
    // The former files of a named source may have been replaced. So a known place counts only for imports without a source name.
    const other = this.#isNamed ? undefined : (ofPath ?? known[0]);
    return other === undefined ? this.#placedAnew(plan, way, file) : placedAs(other);
  }

  /** Returns why this file may not bring the id; undefined if it may. */
  claim(id: string, real: string): string | undefined {
    const first = this.#fileOf.get(id);
    this.#held.add(id);
    if (first === undefined) this.#fileOf.set(id, real);
    if (first === undefined || first === real) return undefined;
    return `${first} has the id ${id} in this import already; import one of them with a name of its own (--source NAME)`;
  }

  #placedAnew({ target, source, place, isAmbiguous }: PlannedTarget, way: string | undefined, file: FoundFile): Placed {
    if (target.kind === "address") return { kind: "placed", id: file.real, origin: { source, argument: place.name } };
    const id = target.kind === "folder" ? `${place.ids}${way ?? file.inside}` : place.ids;
    if (!isAmbiguous) return { kind: "placed", id, origin: { source, argument: place.name, path: way ?? file.real } };
    // An existing document stays with the argument that brought it.
    const { id: _, ...origin } = this.#known.withId(source, id) ?? { id, source };
    return { kind: "placed", id, origin };
  }
}

/** Any document of a file tells the file's id. */
function placedAs({ id, origin }: KnownDocument): Placed {
  // The old digest does not describe the present file.
  const { digest: _, ...place } = origin;
  return { kind: "placed", id: fileIdOf(id), origin: place };
}
