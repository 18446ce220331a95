import { isAbsolute, join } from "node:path";
import type { ArgumentPlace, DocumentOrigin, OwnedDocument, SourceInfo } from "@loredex/core";
import { isOfPath } from "./plan.ts";

/** A document that a file has brought. */
export interface KnownDocument {
  readonly id: string;
  readonly origin: DocumentOrigin;
}

/** Which files have brought what, by their real paths. */
export class KnownFiles {
  readonly #sources: readonly SourceInfo[];
  readonly #owned: (sources: readonly string[]) => Promise<readonly OwnedDocument[]>;
  readonly #files = new Map<string, KnownDocument[]>();
  readonly #ids = new Map<string, OwnedDocument>();
  readonly #bySource = new Map<string, OwnedDocument[]>();
  readonly #places: ReadonlyMap<string, ArgumentPlace>;

  constructor(
    sources: readonly SourceInfo[],
    owned: (sources: readonly string[]) => Promise<readonly OwnedDocument[]>,
  ) {
    this.#sources = sources;
    this.#owned = owned;
    this.#places = new Map(
      sources.flatMap(({ name, arguments: brought }) =>
        brought.map((argument): [string, ArgumentPlace] => [`${name}\n${argument.name}`, argument]),
      ),
    );
  }

  /** Learns what all sources have brought: a link may lead from any of them to any file. */
  async learn(): Promise<void> {
    const owned = await this.#owned(this.#sources.map(({ name }) => name));
    for (const { name } of this.#sources) this.#bySource.set(name, []);
    for (const document of owned) {
      const { id, ...origin } = document;
      this.#bySource.get(origin.source)?.push(document);
      this.#ids.set(`${origin.source}\n${id}`, document);
      const path = this.fileOf(document);
      const there = path === undefined ? undefined : this.#files.get(path);
      if (there !== undefined) there.push({ id, origin });
      else if (path !== undefined) this.#files.set(path, [{ id, origin }]);
    }
  }

  /** What a source had brought when that was learnt. */
  of(source: string): readonly OwnedDocument[] {
    return this.#bySource.get(source) ?? [];
  }

  /** What a source had brought under this id. */
  withId(source: string, id: string): OwnedDocument | undefined {
    return this.#ids.get(`${source}\n${id}`);
  }

  at(path: string): readonly KnownDocument[] {
    return this.#files.get(path) ?? [];
  }

  /** Whether the name is only that of a place. */
  isOfPath(source: string): boolean {
    return this.#sources.some((known) => known.name === source && isOfPath(known));
  }

  /** Where the file or page of a document lies, or lay; undefined for what neither has brought. */
  fileOf({ id, source, argument, path }: OwnedDocument): string | undefined {
    const place = this.#places.get(`${source}\n${argument}`);
    // Of a page, documents say by their ids where they are: a question's begins with the page's.
    if (place?.kind === "address") return id.split("#", 1)[0];
    if (path === undefined || place === undefined) return undefined;
    return isAbsolute(path) ? path : join(place.path, path);
  }
}
