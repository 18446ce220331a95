import type { ArgumentPlace, ArgumentReport, DocumentOrigin, SourceInfo } from "../model/sources.ts";

/** An argument as it is kept. */
export interface StoredArgument extends ArgumentPlace {
  /** Wall clock: when it was last imported to its end. */
  readonly importedAtMs?: number;
  /** What came of that. */
  readonly report?: ArgumentReport;
}

/** A source as it is kept. Never changed, only replaced. */
export interface StoredSource {
  /** Sequence number of the record that brought it: so no number is ever used again. */
  readonly id: number;
  readonly name: string;
  readonly arguments: readonly StoredArgument[];
  /** The argument that documents without one are of: the first place of a source that had none. */
  readonly rest?: string;
  /** The source that takes its documents over. */
  readonly heir?: number;
}

/** A document's origin as it is kept: by the source's number, so that a source can be renamed at once. */
export interface StoredOrigin {
  readonly source: number;
  readonly argument?: string;
  readonly path?: string;
  readonly digest?: string;
}

/** The sources of a bot, and how many documents each has. */
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

  /** All of them as they are now, oldest first. */
  all(): StoredSource[] {
    return [...this.#sources.values()];
  }

  set(source: StoredSource): void {
    const before = this.#sources.get(source.id);
    if (before !== undefined) this.#ids.delete(before.name);
    this.#sources.set(source.id, source);
    this.#ids.set(source.name, source.id);
  }

  /** The source of this name, made if there is none. */
  named(name: string, sequence: number): StoredSource {
    const known = this.get(name);
    if (known !== undefined) return known;
    const made = { id: sequence, name, arguments: [] };
    this.set(made);
    return made;
  }

  /** The origin as it is kept; its source is made if there is none. */
  stored({ source, argument, path, digest }: DocumentOrigin, sequence: number): StoredOrigin {
    return { source: this.named(source, sequence).id, ...optional(argument, path, digest) };
  }

  /** The origin by the source's name. */
  origin(stored: StoredOrigin | undefined): DocumentOrigin | undefined {
    const source = stored === undefined ? undefined : this.#sources.get(stored.source);
    if (stored === undefined || source === undefined) return undefined;
    return { source: source.name, ...optional(stored.argument ?? source.rest, stored.path, stored.digest) };
  }

  /** A document has come to a source, or left it, or both. One that has neither documents nor arguments is forgotten. */
  count(before: StoredOrigin | undefined, after: StoredOrigin | undefined): void {
    if (after !== undefined) this.#documents.set(after.source, this.#countOf(after.source) + 1);
    if (before === undefined) return;
    this.#documents.set(before.source, this.#countOf(before.source) - 1);
    const source = this.#sources.get(before.source);
    if (source?.arguments.length === 0) this.removeIfEmpty(source.name);
  }

  /** Whether there is no document of it. */
  isEmpty(name: string): boolean {
    const id = this.#ids.get(name);
    return id === undefined || this.#countOf(id) === 0;
  }

  /** Forgets a source of which there is no document. */
  removeIfEmpty(name: string): void {
    const id = this.#ids.get(name);
    if (id === undefined || !this.isEmpty(name)) return;
    this.#ids.delete(name);
    this.#sources.delete(id);
    this.#documents.delete(id);
  }

  /** Whether the documents of one source may go over to another. */
  isHeir(name: string, of: string): boolean {
    const heir = this.get(of)?.heir;
    return heir !== undefined && heir === this.#ids.get(name);
  }

  /** Whether somebody takes it over already. */
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

/** The arguments with this one among them: behind them, or in the place of that with its name, of which stays what is not said anew. */
export function withArgument(known: readonly StoredArgument[], put: StoredArgument): readonly StoredArgument[] {
  const at = known.findIndex(({ name }) => name === put.name);
  const before = known[at];
  if (before === undefined) return [...known, put];
  if (put.importedAtMs === undefined) return known.with(at, { ...before, ...put });
  // What came of an earlier end says nothing of this one.
  const { report: _, ...rest } = before;
  return known.with(at, { ...rest, ...put });
}
