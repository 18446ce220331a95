import { isAbsolute, join } from "node:path";
import type { ArgumentPlace, DocumentOrigin, OwnedDocument, SourceInfo } from "@loredex/core";
import { isOfPath } from "./plan.ts";

/** A document that a file has brought. */
export interface KnownDocument {
  readonly id: string;
  readonly origin: DocumentOrigin;
}

/** Documents that an import has brought and removed. */
export interface Changes {
  readonly brought: OwnedDocument[];
  readonly removed: OwnedDocument[];
}

/** The documents of all sources, by the real paths of their files. */
export class BroughtFiles {
  readonly #files = new Map<string, KnownDocument[]>();
  readonly #ids = new Map<string, OwnedDocument>();
  readonly #bySource = new Map<string, OwnedDocument[]>();
  readonly #places = new Map<string, ArgumentPlace>();
  readonly #ofPath = new Set<string>();

  constructor(sources: readonly SourceInfo[] = [], documents: readonly OwnedDocument[] = []) {
    for (const source of sources) {
      this.#bySource.set(source.name, []);
      if (isOfPath(source)) this.#ofPath.add(source.name);
      for (const argument of source.arguments) this.#places.set(`${source.name}\n${argument.name}`, argument);
    }
    for (const document of documents) this.#add(document);
  }

  /** Applies the changes of an import; applying them twice changes nothing more. Lists that were returned earlier stay as they are. */
  change({ brought, removed }: Changes): void {
    const changed = [...brought, ...removed];
    const ids = new Set(changed.map(({ id }) => id));
    const former = changed.flatMap(({ source, id }) => this.withId(source, id) ?? []);
    const rest = <One extends { readonly id: string }>(all: readonly One[]): One[] =>
      all.filter(({ id }) => !ids.has(id));
    for (const path of new Set(former.map((document) => this.fileOf(document) ?? ""))) {
      this.#files.set(path, rest(this.at(path)));
    }
    for (const source of new Set(changed.map((document) => document.source))) {
      this.#bySource.set(source, rest(this.of(source)));
    }
    for (const { source, id } of removed) this.#ids.delete(`${source}\n${id}`);
    for (const document of brought) this.#add(document);
  }

  of(source: string): readonly OwnedDocument[] {
    return this.#bySource.get(source) ?? [];
  }

  withId(source: string, id: string): OwnedDocument | undefined {
    return this.#ids.get(`${source}\n${id}`);
  }

  at(path: string): readonly KnownDocument[] {
    return this.#files.get(path) ?? [];
  }

  isOfPath(source: string): boolean {
    return this.#ofPath.has(source);
  }

  fileOf({ id, source, argument, path }: OwnedDocument): string | undefined {
    const place = this.#places.get(`${source}\n${argument}`);
    // For a page, the ids of documents tell the place: a question's id begins with the page's.
    if (place?.kind === "address") return id.split("#", 1)[0];
    if (path === undefined || place === undefined) return undefined;
    return isAbsolute(path) ? path : join(place.path, path);
  }

  #add(document: OwnedDocument): void {
    const { id, ...origin } = document;
    this.#bySource.get(origin.source)?.push(document);
    this.#ids.set(`${origin.source}\n${id}`, document);
    const path = this.fileOf(document);
    const there = path === undefined ? undefined : this.#files.get(path);
    if (there !== undefined) there.push({ id, origin });
    else if (path !== undefined) this.#files.set(path, [{ id, origin }]);
  }
}
