/** The sources of imported documents, and their arguments. */

/** The origin of a document. The document's id belongs to the source: no other source replaces or removes it. */
export interface DocumentOrigin {
  /** The source's name: 1 to {@link SOURCE_NAME_CHARACTERS_MAX} characters. */
  readonly source: string;
  /** Name of the source's argument that it came from. An import of that argument alone may remove the document. */
  readonly argument?: string;
  /** The file: relative to the argument's path, with `/`; empty for that path itself; absolute if it lies elsewhere. */
  readonly path?: string;
  /**
   * The importer's digest of the file at the import. A file with an unchanged digest need not be read again. 1 to
   * {@link SOURCE_DIGEST_CHARACTERS_MAX} characters, which only the importer understands.
   */
  readonly digest?: string;
}

/** Settings of the import of an argument: plain values that only the importer understands, {@link SOURCE_SETTINGS_MAX} at most. */
export type ArgumentSettings = Readonly<Record<string, string | number | boolean>>;

/** The result of the last complete import of an argument. */
export interface ArgumentReport {
  /** Documents that were new. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Documents that the argument no longer has, and that were removed. */
  readonly removed: number;
  /** Files, lines and documents that could not be imported. */
  readonly failed: number;
  /** The first problems: at most {@link SOURCE_PROBLEMS_MAX}. */
  readonly problems: readonly ArgumentProblem[];
  /**
   * Notes on files that were imported except for some content, including files that have not changed since: at most {@link SOURCE_NOTES_MAX}.
   * Absent if there are none.
   */
  readonly notes?: readonly ArgumentProblem[];
}

/** A problem or note of an import. */
export interface ArgumentProblem {
  /** File or address, and `:line` if it is known. */
  readonly place: string;
  readonly message: string;
}

/** An argument of an import: a folder, a file or an address. */
export interface ArgumentPlace {
  /** Unique in its source; 1 to {@link SOURCE_NAME_CHARACTERS_MAX} characters. */
  readonly name: string;
  readonly kind: ArgumentKind;
  /** Its last location: a real path, or an address. */
  readonly path: string;
  /** The prefix of the ids of a folder's files, or the id of a file. */
  readonly ids: string;
  /** Settings of its import. An import without settings keeps the previous ones. */
  readonly settings?: ArgumentSettings;
}

export type ArgumentKind = "folder" | "file" | "address";

/** An argument with its last complete import. */
export interface SourceArgument extends ArgumentPlace {
  /** When it was last imported completely, ISO 8601, UTC. Absent if it never was. */
  readonly importedAt?: string;
  /** The result of that import. Absent if the importer gave none. */
  readonly report?: ArgumentReport;
}

/** Options of an import for its argument. */
export interface ArgumentOptions {
  /** Whether it has just been imported completely. Default false. */
  readonly imported?: boolean;
  /** The result of the import. It is stored only with `imported`. */
  readonly report?: ArgumentReport;
  /** Name of a source without arguments, whose documents this source may take over from now on. The first source that asks gets them. */
  readonly takesOver?: string;
  /** Forgets the source if it has no documents, because the import brought none. Default false. */
  readonly unlessEmpty?: boolean;
}

/** A source of imported documents. */
export interface SourceInfo {
  readonly name: string;
  /** The number of its documents. */
  readonly documents: number;
  /** In the order of their first import. Empty for a source that a program named. */
  readonly arguments: readonly SourceArgument[];
  /** Name of the source that takes its documents over, as it imports them. */
  readonly takenOverBy?: string;
}

/** A document's id with its origin. */
export interface OwnedDocument extends DocumentOrigin {
  readonly id: string;
}
