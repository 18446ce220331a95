import type { TypedWord } from "./close-terms.ts";
import type { OtherSpelling } from "./held-spellings.ts";

/** Knowledge about the words of a query beside their terms. */
export interface QueryReading {
  /** The word behind a term that no passage holds, in each way that it is written. Terms close to it then stand for it. */
  readonly typedAs?: ((term: string) => readonly TypedWord[]) | undefined;
  /** Weight of a term relative to the others, above 0; 1 if not given. */
  readonly shareOf?: ((term: string) => number) | undefined;
  /** Whether a term is a common word of the language. Without it, passages of the index alone say how rare a term is. */
  readonly isCommon?: ((term: string) => boolean) | undefined;
  /** The terms of the word in other languages that passages are written in: all of them count as one term. */
  readonly othersOf?: ((term: string) => readonly string[]) | undefined;
  /** The links of compound words, in languages that have them: see {@link partsOf}. */
  readonly links?: readonly string[] | undefined;
  /** Other spellings of its codes. */
  readonly spellings?: readonly OtherSpelling[] | undefined;
  /** Texts of several terms that mean the same as terms of the query. One term for one term belongs to `othersOf`, and is left out here. */
  readonly synonyms?: readonly OtherSpelling[] | undefined;
}
