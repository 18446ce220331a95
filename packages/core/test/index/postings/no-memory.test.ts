import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import type { TypedWord } from "../../../src/index/postings/close-terms.ts";
import type { Field } from "../../../src/index/postings/field.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import type { WeightedQuery } from "../../../src/index/postings/weighted-query.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { refusingMemory } from "../../support/refused-memory.ts";

/** A word by its number: letters, so that it can be mistyped, as it is for numbers below 0. */
function word(number: number): string {
  if (number < 0) return word(-number).replace(/.$/u, "qy");
  let [text, left] = ["wo", number];
  for (let i = 0; i < 4; i++, left = Math.floor(left / 20)) text += "bcdfghklmnprstvwxzaei"[left % 20] ?? "";
  return text;
}

/** Words of which some follow each other, and most have been there before. */
const text = fc.record({ from: fc.nat(1_400), fresh: fc.nat(90), again: fc.array(fc.nat(60), { maxLength: 12 }) });
type Text = typeof text extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ add: fc.array(text, { minLength: 1, maxLength: 4 }), isEntered: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(60) }) },
  { weight: 3, arbitrary: fc.record({ ask: fc.array(fc.nat(1_500), { minLength: 1, maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ compact: fc.constant(true) }) },
);
type Slice = typeof step extends fc.Arbitrary<infer T> ? T : never;

function fieldsOf({ from, fresh, again }: Text): Field[] {
  const terms = [...again, ...Array.from({ length: fresh }, (_, i) => from + i), ...again.slice(3)].map(word);
  return [
    { terms, weight: 1, fragmentStarts: [0, 4, 9] },
    { terms: again.map(word), weight: 0.25 },
  ];
}

const asItIs: TypedWord["someWordOf"] = (term, min, max, test) =>
  term.length >= min && term.length <= max && test(term);
const typedAs = (term: string): TypedWord[] => [{ word: term, isUnfinished: false, someWordOf: asItIs }];

const QUESTIONS = [[3, 9, 27, -14], [40], [-5, 705, 12], [1_399, 1_320, -1_325, 5, 5]];

/** An index and the ordinals of the passages that are there, in order. */
class Tried {
  index = new LexicalIndex();
  ordinals: number[] = [];

  does(one: Slice): void {
    if ("add" in one) this.#add(one.add, one.isEntered);
    else if ("remove" in one) this.#remove(one.remove);
    else if ("ask" in one) this.answers(one.ask);
    else this.#compact();
  }

  /** As a document comes in: its passages one by one, and then all of them or none. */
  #add(texts: readonly Text[], isEntered: boolean): void {
    const { index } = this;
    const first = index.nextOrdinal;
    const lengths: number[] = [];
    let isIn = false;
    try {
      for (const each of texts) lengths.push(index.stage(fieldsOf(each)));
      if (!isEntered) return;
      index.enter(first, lengths);
      isIn = true;
      this.ordinals.push(...lengths.map((_, i) => first + i));
    } finally {
      if (!isIn) index.abandon(lengths.length);
    }
  }

  #remove(at: number): void {
    const ordinal = this.ordinals[at];
    if (ordinal === undefined) return;
    this.index.remove(ordinal);
    this.ordinals.splice(at, 1);
  }

  #compact(): void {
    const copy = this.index.emptyOne();
    const numbers = new Uint32Array(this.index.vocabularySize);
    const ordinals = this.ordinals.map((ordinal) => {
      const own = copy.nextOrdinal;
      copy.copyOf(this.index, ordinal, numbers);
      return own;
    });
    copy.prepareWords();
    this.index = copy;
    this.ordinals = ordinals;
  }

  asked(numbers: readonly number[]): WeightedQuery {
    return this.index.weigh(numbers.map(word), { typedAs });
  }

  scores(query: WeightedQuery): number[] {
    return this.ordinals.map((ordinal) => this.index.scoreOf(query, ordinal));
  }

  /** All that is said of the passages that are there, in their order. */
  answers(numbers: readonly number[]): unknown {
    const { index, ordinals } = this;
    const query = this.asked(numbers);
    const scoring = index.score(query);
    try {
      const touched: number[] = [];
      while (scoring.termsLeft > 1) scoring.addTerm();
      scoring.takeCandidates(0, scoring.touchedCount);
      while (scoring.candidatesLack) scoring.addToCandidates(0);
      for (let i = 0; i < scoring.candidateCount; i++) touched.push(ordinals.indexOf(scoring.candidateAt(i)));
      return {
        terms: query.terms.map(({ text, weight, frequency }) => ({ text, weight, frequency })),
        touched,
        partial: touched.map((at) => scoring.partial(ordinals[at] ?? -1)),
        single: this.scores(query),
        // These give what they take: it is enough to ask a few times.
        between: ordinals.slice(-2).map((ordinal) => index.scoresBetween(query, ordinal, ordinal + 1)[0]),
        fragments: ordinals.slice(-2).map((ordinal) => [...index.fragmentWeights(query, ordinal, 4)]),
      };
    } finally {
      scoring.close();
    }
  }

  /** All that there is to be seen of it: terms have whatever numbers. */
  get seen(): string {
    finished(this.index.settle());
    const { vocabulary, lengths, starts, terms, words } = this.index.export();
    return JSON.stringify({
      passages: this.index.passageCount,
      terms: this.index.termCount,
      vocabulary: vocabulary.length,
      lengths: [...lengths],
      lists: [...lengths.keys()].map((passage) =>
        Array.from(terms.subarray(starts[passage], starts[passage + 1]), (term, i) =>
          [vocabulary[term], words[(starts[passage] ?? 0) + i]].join(),
        ).join(),
      ),
      answers: QUESTIONS.map((question) => this.answers(question)),
    });
  }
}

const history = fc.array(fc.record({ step, isTriedAgain: fc.boolean() }), {
  minLength: 8,
  maxLength: 40,
  size: "max",
});

it("is as if nothing had been asked of it where there was no memory for it, whatever it was for", () => {
  refusingMemory((whileRefused) => {
    fc.assert(
      fc.property(history, fc.boolean(), (steps, goesOn) => {
        const [tried, other] = [new Tried(), new Tried()];
        for (const { step, isTriedAgain } of steps) {
          let before: string | undefined;
          let refused = 0;
          while (whileRefused(() => tried.does(step), refused + 1, goesOn)) {
            refused++;
            before ??= other.seen;
            expect(tried.seen, `number ${refused} of a step`).toBe(before);
            if (!isTriedAgain) break;
          }
          if (refused === 0 || isTriedAgain) other.does(step);
        }
        expect(tried.seen).toBe(other.seen);
      }),
      { numRuns: lawRuns(80) },
    );
  });
});

it("answers as ever after a question that there was no memory for", () => {
  const texts = fc.array(text, { minLength: 1, maxLength: 6 });
  const question = fc.array(fc.nat(1_500), { minLength: 1, maxLength: 6 });
  refusingMemory((whileRefused) => {
    fc.assert(
      fc.property(texts, texts, question, fc.boolean(), (first, more, asked, goesOn) => {
        // Nothing of what it takes to answer is there before it is refused.
        const filled = (): Tried => {
          const tried = new Tried();
          tried.does({ add: first, isEntered: true });
          tried.answers([3]);
          tried.does({ add: more, isEntered: true });
          return tried;
        };
        const { seen } = filled();
        for (let refused = 1; ; refused++) {
          const tried = filled();
          // Of another question, which is being answered meanwhile.
          const query = tried.asked([3, 9, 14]);
          const scores = tried.scores(query);
          if (!whileRefused(() => tried.answers(asked), refused, goesOn)) break;
          expect(tried.scores(query)).toEqual(scores);
          expect(tried.seen, `number ${refused} of a question`).toBe(seen);
        }
      }),
      { numRuns: lawRuns(80) },
    );
  });
});
