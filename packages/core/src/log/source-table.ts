import type { ArgumentPlace, ArgumentReport, DocumentOrigin, SourceInfo } from "../model/sources.ts";

/** A stored argument of a source. */
export interface StoredArgument extends ArgumentPlace {
  /** End of its last complete import, in milliseconds of the wall clock. */
  readonly importedAtMs?: number;
  /** Report of that import. */
  readonly report?: ArgumentReport;
}

/** A stored source. Never changed, only replaced. */
export interface StoredSource {
  /** Sequence number of the record that created it, so no id is ever used twice. */
  readonly id: number;
  readonly name: string;
  readonly arguments: readonly StoredArgument[];
  /** Argument of documents that name none. It is set when a source without arguments is moved. */
  readonly rest?: string;
  /** Id of the source that takes over its documents. */
  readonly heir?: number;
}

/** The stored origin of a document. It names the source by id, so renaming a source changes no document. */
export interface StoredOrigin {
  readonly source: number;
  readonly argument?: string;
  readonly path?: string;
  readonly digest?: string;
}

/** The sources of a bot, with the number of documents of each. */
export class SourceTable {
  readonly #sources = new Map<number, StoredSource>();
  readonly #ids = new Map<string, number>();
  readonly #documents = new Map<number, number>();

  get size(): number {
    return this.#sources.size;
  }

  get(name: string): StoredSource | undefined {
    const id = this.#ids.get(name);
    return id === undefined ? undefined : this.#sources.get(id);
  }

  /** All sources as they are now, oldest first. */
  all(): StoredSource[] {
    return [...this.#sources.values()];
  }

  set(source: StoredSource): void {
    const before = this.#sources.get(source.id);
    if (before !== undefined) this.#ids.delete(before.name);
    this.#sources.set(source.id, source);
    this.#ids.set(source.name, source.id);
  }

  /** The source of this name. If it does not exist, it is created with `sequence` as its id. */
  named(name: string, sequence: number): StoredSource {
    const known = this.get(name);
    if (known !== undefined) return known;
    const made = { id: sequence, name, arguments: [] };
    this.set(made);
    return made;
  }

  /** The stored form of an origin. If its source does not exist, it is created with `sequence` as its id. */
  stored({ source, argument, path, digest }: DocumentOrigin, sequence: number): StoredOrigin {
    return { source: this.named(source, sequence).id, ...optional(argument, path, digest) };
  }

  /** The origin with the source's name; undefined if there is no origin, or no such source. */
  origin(stored: StoredOrigin | undefined): DocumentOrigin | undefined {
    const source = stored === undefined ? undefined : this.#sources.get(stored.source);
    if (stored === undefined || source === undefined) return undefined;
    return { source: source.name, ...optional(stored.argument ?? source.rest, stored.path, stored.digest) };
  }

  /** Counts a document that joined a source, left one, or both. A source left with neither documents nor arguments is removed. */
  count(before: StoredOrigin | undefined, after: StoredOrigin | undefined): void {
    if (after !== undefined) this.#documents.set(after.source, this.#countOf(after.source) + 1);
    if (before === undefined) return;
    this.#documents.set(before.source, this.#countOf(before.source) - 1);
    const source = this.#sources.get(before.source);
    if (source?.arguments.length === 0) this.removeIfEmpty(source.name);
  }

  /** Whether the source has no documents, or does not exist. */
  isEmpty(name: string): boolean {
    const id = this.#ids.get(name);
    return id === undefined || this.#countOf(id) === 0;
  }

  /** Removes a source that has no documents. */
  removeIfEmpty(name: string): void {
    const id = this.#ids.get(name);
    if (id === undefined || !this.isEmpty(name)) return;
    this.#ids.delete(name);
    this.#sources.delete(id);
    this.#documents.delete(id);
  }

  /** Whether the source `name` takes over the documents of the source `of`. */
  isHeir(name: string, of: string): boolean {
    const heir = this.get(of)?.heir;
    return heir !== undefined && heir === this.#ids.get(name);
  }

  /** Whether another source takes over its documents already. */
  hasHeir(name: string): boolean {
    const heir = this.get(name)?.heir;
    return heir !== undefined && this.#sources.has(heir);
  }

  info({ id, name, arguments: brought, heir }: StoredSource): SourceInfo {
    const heirName = heir === undefined ? undefined : this.#sources.get(heir)?.name;
    return {
      name,
      documents: this.#countOf(id),
      arguments: brought.map(({ importedAtMs, ...place }) => ({
        ...place,
        ...(importedAtMs === undefined ? {} : { importedAt: new Date(importedAtMs).toISOString() }),
      })),
      ...(heirName === undefined ? {} : { takenOverBy: heirName }),
    };
  }

  #countOf(id: number): number {
    return this.#documents.get(id) ?? 0;
  }
}

function optional(
  argument: string | undefined,
  path: string | undefined,
  digest: string | undefined,
): Omit<DocumentOrigin, "source"> {
  return {
    ...(argument === undefined ? {} : { argument }),
    ...(path === undefined ? {} : { path }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/**
 * Adds an argument, or updates the one of the same name. An update keeps fields that it does not give.
 * An update with `importedAtMs` drops the report of the import before.
 */
export function withArgument(known: readonly StoredArgument[], put: StoredArgument): readonly StoredArgument[] {
  const at = known.findIndex(({ name }) => name === put.name);
  const before = known[at];
  if (before === undefined) return [...known, put];
  if (put.importedAtMs === undefined) return known.with(at, { ...before, ...put });
  // The report of an earlier import says nothing about this one.
  const { report: _, ...rest } = before;
  return known.with(at, { ...rest, ...put });
}
