/** What an operator knows about the words of a bot's questions. Plain data, and the same in a file. */
export interface Vocabulary {
  /**
   * Lines of synonyms. Each text has one or more words.
   *
   *     holiday, annual leave, time off    each finds what the others find
   *     PTO => annual leave, time off      PTO finds what the others find, not the other way round
   */
  readonly synonyms: readonly string[];
  /** Pinned answers. If several fit a question, the first one comes first. */
  readonly pins: readonly PinnedAnswer[];
  /** Texts that are taken out of a question before its words are searched. */
  readonly ignored: readonly string[];
}

/** A document that comes first for some questions. */
export interface PinnedAnswer {
  /** The words of the question. `*` stands for any words, or none: `how do I return *`. */
  readonly question: string;
  /** Id of the article, or `resourceDocId` of the imported document. */
  readonly document: string;
}

/** A vocabulary as programs write it: a list that is left out is empty. */
export type VocabularyInput = Partial<Vocabulary>;
