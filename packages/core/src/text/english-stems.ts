import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction, type Model, type WinkMethods } from "wink-nlp";

/**
 * Each word that its lexicon does not hold is kept by an instance of wink-nlp for ever: 16 MB for so many. A new instance
 * takes some 70 ms, so that they are made seldom.
 */
const UNSEEN_WORDS_MAX = 100_000;

/** The stems of English words (Porter 2), from wink-nlp. Keeps what it is told of words never seen before, within a bound. */
export class EnglishStems {
  readonly #unseenMax: number;
  readonly #load: () => WinkMethods;
  #wink: WinkMethods;
  /** Words are numbered as they are met, after those of the lexicon. */
  #lastNumber: number;

  constructor(unseenMax = UNSEEN_WORDS_MAX, load: () => WinkMethods = loadEnglish) {
    this.#unseenMax = unseenMax;
    this.#load = load;
    this.#wink = load();
    this.#lastNumber = this.#lexiconSize() + unseenMax;
  }

  /** The stem of a word of letters from a to z. Time grows with the square of its length, so that long words should not be asked for. */
  stem(word: string): string {
    const { its } = this.#wink;
    const alone = this.#wink.readDoc(word).tokens();
    // What looks like two words without their apostrophe ("youre") is taken apart, unless a comma follows.
    const token = (alone.length() === 1 ? alone : this.#wink.readDoc(`${word},`).tokens()).itemAt(0);
    // Boundary: the types of wink-nlp forget that such a function is given the add-ons of the model.
    const stem = token.out(its.stem as ItsFunction<string>);
    if (Number(token.out(its.uniqueId)) >= this.#lastNumber) this.#renew();
    return stem;
  }

  #renew(): void {
    this.#wink = this.#load();
    this.#lastNumber = this.#lexiconSize() + this.#unseenMax;
  }

  /** The number of the first word that is not in the lexicon. */
  #lexiconSize(): number {
    return Number(this.#wink.readDoc("zzqzzqzz").tokens().itemAt(0).out(this.#wink.its.uniqueId));
  }
}

/** The model writes its patterns for learning others as JSON at each load, and as JSON of that at the next: they are loaded once. */
const ENGLISH: Model = { ...model, metaCER: loadedOnce(model.metaCER) };

/** Boundary: the model's types leave its loaders opaque. */
function loadedOnce(load: unknown): () => unknown {
  if (typeof load !== "function") throw new TypeError("The English language model has no patterns.");
  let loaded: unknown;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** A new instance, which reads nothing but words. */
export function loadEnglish(): WinkMethods {
  return winkNLP(ENGLISH, []);
}
