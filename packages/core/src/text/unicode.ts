import type { Analyzer } from "./analyzer.ts";
import { words } from "./words.ts";

/** Any language with spaces between its words: the words as they are, in lower case. */
export class UnicodeAnalyzer implements Analyzer {
  readonly id = "multi-1";

  terms(text: string): string[] {
    return words(text);
  }

  someWordOf(term: string, lengthMin: number, lengthMax: number, test: (word: string) => boolean): boolean {
    return term.length >= lengthMin && term.length <= lengthMax && test(term);
  }

  shareInQuestion(): number {
    return 1;
  }
}
