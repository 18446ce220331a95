/** Where imported documents come from. */

/** What brings a document. The id belongs to that source: no other one replaces or removes it. */
export interface DocumentOrigin {
  /** The source's name: 1 to {@link SOURCE_NAME_CHARACTERS_MAX} characters. */
  readonly source: string;
  /** Which of the source's arguments brings it, by its name: what an import of that argument alone may remove again. */
  readonly argument?: string;
  /** The file: relative to the argument's path with `/` and empty for that itself, or absolute if it lies elsewhere. */
  readonly path?: string;
  /**
   * What the importer knows the file by when it was brought: one that is still known by it need not be read again. 1 to
   * {@link SOURCE_DIGEST_CHARACTERS_MAX} characters, which only the importer understands.
   */
  readonly digest?: string;
}

/** How an argument is imported: plain values that only the importer understands; {@link SOURCE_SETTINGS_MAX} at most. */
export type ArgumentSettings = Readonly<Record<string, string | number | boolean>>;

/** What came of the last import of an argument that came to its end. */
export interface ArgumentReport {
  /** Documents that were new. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Documents that had gone from it. */
  readonly removed: number;
  /** Files, lines and documents that could not be taken. */
  readonly failed: number;
  /** What was wrong with the first of them: at most {@link SOURCE_PROBLEMS_MAX}. */
  readonly problems: readonly ArgumentProblem[];
  /**
   * What of its files could not be taken though the rest went in, also of those that have not changed since: at most {@link SOURCE_NOTES_MAX}.
   * Absent where there is nothing to say.
   */
  readonly notes?: readonly ArgumentProblem[];
}

export interface ArgumentProblem {
  /** File or address, and where it is known, `:line`. */
  readonly place: string;
  readonly message: string;
}

/** What an import was pointed at. */
export interface ArgumentPlace {
  /** Unique in its source; 1 to {@link SOURCE_NAME_CHARACTERS_MAX} characters. */
  readonly name: string;
  readonly kind: ArgumentKind;
  /** Where it was last found: a real path, or an address. */
  readonly path: string;
  /** What the ids of a folder's files begin with, or the id of a file. */
  readonly ids: string;
  /** How it is imported. Where an import says nothing, what was said before stays. */
  readonly settings?: ArgumentSettings;
}

export type ArgumentKind = "folder" | "file" | "address";

export interface SourceArgument extends ArgumentPlace {
  /** ISO 8601, UTC: when it was last imported to its end; absent if it never was. */
  readonly importedAt?: string;
  /** What came of it then; absent where the importer said nothing. */
  readonly report?: ArgumentReport;
}

/** What an import says of an argument. */
export interface ArgumentOptions {
  /** It has just been imported to its end. Default false. */
  readonly imported?: boolean;
  /** What came of it; kept only with `imported`. */
  readonly report?: ArgumentReport;
  /** Name of a source without arguments, whose documents this one may take over from now on; the first that asks has it. */
  readonly takesOver?: string;
  /** Forgets the source instead, if it has no documents: what was imported has brought nothing. Default false. */
  readonly unlessEmpty?: boolean;
}

/** A source with what it has brought. */
export interface SourceInfo {
  readonly name: string;
  /** How many documents are its own. */
  readonly documents: number;
  /** In the order in which they were first imported; none for a source that a program named. */
  readonly arguments: readonly SourceArgument[];
  /** Name of the source that takes its documents over, as it brings them. */
  readonly takenOverBy?: string;
}

/** Whose a document is. */
export interface OwnedDocument extends DocumentOrigin {
  readonly id: string;
}
