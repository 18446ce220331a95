import type { DocumentOrigin, OwnedDocument } from "@loredex/core";
import { fileIdOf } from "../../files/document-ids.ts";
import type { KnownDocument } from "./brought-files.ts";
import type { KnownFiles } from "./known-files.ts";
import type { PlannedTarget } from "./plan.ts";
import { pathInside } from "./target.ts";

/** A file, or a page at an address, that an import has come upon. */
export interface FoundFile {
  readonly real: string;
  /** The way to it from the argument, with `/`; empty for the argument itself. */
  readonly inside: string;
}

/** Whose a file's documents are; `id` is the file's, unless it says ids itself. */
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

/** What the arguments of one import share: a file is brought once, and an id by one file. */
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

  /** Whether the import has come upon this document, or may have: its file was there and could not be read whole. */
  holds(document: OwnedDocument): boolean {
    const file = this.#known.fileOf(document);
    return this.#held.has(document.id) || (file !== undefined && this.#unread.has(file));
  }

  /** A file was not read whole. */
  unread(real: string): void {
    this.#unread.add(real);
  }

  /** A file is there and is left alone: what an argument had brought from it stays. Says how many documents that are. */
  keep({ source, place }: PlannedTarget, real: string): number {
    if (this.#unread.has(real)) return 0;
    this.#unread.add(real);
    const isOwn = ({ origin }: KnownDocument): boolean => origin.source === source && origin.argument === place.name;
    return this.#known.at(real).filter(isOwn).length;
  }

  /** To which document and source a file belongs: to those that it has, wherever it was brought from. */
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
    // Where a named source had its files last, others may lie now: only who names no source goes by that.
    const other = this.#isNamed ? undefined : (ofPath ?? known[0]);
    return other === undefined ? this.#placedAnew(plan, way, file) : placedAs(other);
  }

  /** Why this file may not bring the id; undefined if it may. */
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
    // What is there stays with the argument that brought it.
    const { id: _, ...origin } = this.#known.withId(source, id) ?? { id, source };
    return { kind: "placed", id, origin };
  }
}

/** Any of a file's documents tells the file's id. */
function placedAs({ id, origin }: KnownDocument): Placed {
  // What the file was known by says nothing of what it is now.
  const { digest: _, ...place } = origin;
  return { kind: "placed", id: fileIdOf(id), origin: place };
}
