/** A vocabulary as a file has it: not validated yet. */
export interface RawVocabulary {
  readonly value: unknown;
  /** The line of a field, by its path: `["synonyms", "3"]`. The nearest known line for an unknown path. */
  readonly lineOf: (path: readonly string[]) => number;
}

/** A text that is no vocabulary, or has none of the form that its format demands. */
export class UnreadableVocabulary extends Error {
  constructor(readonly problems: readonly { readonly line: number; readonly message: string }[]) {
    super("The file is no vocabulary.");
  }
}
