import { isAbsolute, join } from "node:path";
import type { DocumentOrigin, OwnedDocument, SourceInfo } from "@loredex/core";
import { isOfPath } from "./plan.ts";
import { pathInside } from "./target.ts";

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
  readonly #bySource = new Map<string, readonly OwnedDocument[]>();

  constructor(
    sources: readonly SourceInfo[],
    owned: (sources: readonly string[]) => Promise<readonly OwnedDocument[]>,
  ) {
    this.#sources = sources;
    this.#owned = owned;
  }

  /** Learns what these sources have brought, and those that lie around one of the paths, or below it. */
  async learn(names: readonly string[], paths: readonly string[]): Promise<void> {
    const isNear = (place: string): boolean =>
      paths.some((path) => pathInside(place, path) !== undefined || pathInside(path, place) !== undefined);
    const wanted = this.#sources.filter(
      ({ name, arguments: brought }) => names.includes(name) || brought.some(({ path }) => isNear(path)),
    );
    await this.#load(wanted);
  }

  /** Learns of all sources: a link may lead anywhere. */
  async learnAll(): Promise<void> {
    await this.#load(this.#sources);
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

  async #load(sources: readonly SourceInfo[]): Promise<void> {
    const missing = sources.filter(({ name }) => !this.#bySource.has(name));
    if (missing.length === 0) return;
    const owned = await this.#owned(missing.map(({ name }) => name));
    const lists = new Map<string, OwnedDocument[]>(missing.map(({ name }) => [name, []]));
    for (const document of owned) {
      lists.get(document.source)?.push(document);
      this.#ids.set(`${document.source}\n${document.id}`, document);
    }
    for (const [name, documents] of lists) this.#bySource.set(name, documents);
    const places = new Map(
      missing.flatMap(({ name, arguments: brought }) =>
        brought.map((argument) => [`${name}\n${argument.name}`, argument.path]),
      ),
    );
    for (const { id, ...origin } of owned) {
      const place = places.get(`${origin.source}\n${origin.argument}`);
      if (origin.path === undefined || place === undefined) continue;
      const path = isAbsolute(origin.path) ? origin.path : join(place, origin.path);
      const there = this.#files.get(path);
      if (there === undefined) this.#files.set(path, [{ id, origin }]);
      else there.push({ id, origin });
    }
  }
}
