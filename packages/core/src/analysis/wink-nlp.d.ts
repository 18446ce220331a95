/** Types of the used files of two packages, which do not declare them. */
declare module "wink-nlp/src/its.js" {
  /** A document in wink-nlp's form: a token is the number of a word in `cache`. */
  interface RawDocument {
    readonly tokens: readonly number[];
    readonly cache: { value(number: number): string };
  }
  const its: {
    /** The stem of the token at an index, by the stemmer among the add-ons of a language model. */
    stem(index: number, document: RawDocument, addons: { stem(word: string): string }): string;
  };
  export default its;
}

declare module "wink-eng-lite-web-model/dist/porter-stemmer.js" {
  /** Porter 2. */
  export default function stem(word: string): string;
}
