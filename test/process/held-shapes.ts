/** Articles and documents of every shape that takes memory in its own way. */

interface Made {
  readonly article?: { readonly title: string; readonly body: string };
  readonly document?: object;
}

export interface HeldShape {
  readonly what: string;
  /** Enough to take megabytes. */
  readonly count: number;
  readonly make: (round: number) => Made;
}

/** Words that come again, and words that no text has twice. */
class Words {
  #state = 1;

  word(letters: number, first = "a"): string {
    return String.fromCharCode(...Array.from({ length: letters }, () => first.charCodeAt(0) + this.#next(26)));
  }

  known(count: number, first = "a"): string {
    const words = Array.from({ length: count }, () => {
      const n = this.#next(2_000);
      return String.fromCharCode(...[n % 26, (n >> 3) % 26, (n >> 6) % 26, n % 7].map((c) => first.charCodeAt(0) + c));
    });
    return words.join(" ");
  }

  /** Below `end`; the upper bits of a linear congruential generator. */
  #next(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }
}

const words = new Words();

const list = <Item>(length: number, item: (i: number) => Item): Item[] => Array.from({ length }, (_, i) => item(i));
const keyed = (count: number, entry: (i: number) => [string, string | number]): object =>
  Object.fromEntries(list(count, entry));

const article = (round: number, more: object = {}): Made => ({
  article: { title: `Title ${round}`, body: `x ${round}`, ...more },
});
const document = (round: number, more: object): Made => ({
  document: { resourceDocId: `page ${round}`, type: "DOCUMENT", content: [{ md: `x ${round}` }], ...more },
});
const metadata = (round: number, given: object): Made => article(round, { metadata: given });
const paragraphs = (first?: string): string => list(5, () => `${words.known(60, first)}.`).join("\n\n");

export const HELD_SHAPES: readonly HeldShape[] = [
  { what: "a few words", count: 3_000, make: (round) => article(round) },
  {
    what: "100 metadata keys, the same in all, of one character",
    count: 2_000,
    make: (round) =>
      metadata(
        round,
        keyed(100, (i) => [`key${i}`, "v"]),
      ),
  },
  {
    what: "100 metadata keys of its own, of one character",
    count: 1_000,
    make: (round) =>
      metadata(
        round,
        keyed(100, (i) => [`${words.word(6)}${i}`, "v"]),
      ),
  },
  {
    what: "100 metadata keys with decimals",
    count: 1_000,
    make: (round) =>
      metadata(
        round,
        keyed(100, (i) => [`key${i}`, i + round + 0.5]),
      ),
  },
  {
    what: "three metadata keys that are numbers far apart",
    count: 300,
    make: (round) => metadata(round, { 1000: "v", 2500: "v", 3300: "v" }),
  },
  {
    what: "six metadata values of 10,000 characters, one byte each",
    count: 200,
    make: (round) =>
      metadata(
        round,
        keyed(6, (i) => [`key${i}`, `${round}${"x".repeat(9_990)}`]),
      ),
  },
  {
    what: "six metadata values of 10,000 characters, two bytes each",
    count: 200,
    make: (round) =>
      metadata(
        round,
        keyed(6, (i) => [`key${i}`, `${round}${"ж".repeat(9_990)}`]),
      ),
  },
  {
    what: "1,000 entries of activeOn",
    count: 200,
    make: (round) => article(round, { activeOn: list(1_000, (i) => ({ agent: `agent ${i}`, channel: "web" })) }),
  },
  {
    what: "a title of 1,000 characters",
    count: 2_000,
    make: (round) => article(round, { title: `${round} ${words.known(220)}`.slice(0, 1_000) }),
  },
  { what: "a body of 1,500 characters", count: 1_000, make: (round) => article(round, { body: paragraphs() }) },
  {
    what: "a body of 1,500 characters of two bytes",
    count: 1_000,
    make: (round) => article(round, { body: paragraphs("а") }),
  },
  {
    what: "a body of 300 words that no other has",
    count: 600,
    make: (round) => article(round, { body: list(300, () => words.word(9)).join(" ") }),
  },
  {
    what: "a body of 500 headings",
    count: 100,
    make: (round) => article(round, { body: "# a\n".repeat(500) }),
  },
  {
    what: "a document of 500 blocks",
    count: 100,
    make: (round) => document(round, { content: list(500, () => ({ md: words.known(4) })) }),
  },
  {
    what: "a document with 200 objects in its metaData",
    count: 200,
    make: (round) =>
      document(round, {
        metaData: { rows: list(200, (i) => ({ name: words.word(12), price: i + 0.5, tags: ["a", "b"], on: {} })) },
      }),
  },
  {
    what: "a document with 200 objects of keys of their own",
    count: 200,
    make: (round) =>
      document(round, { metaData: { rows: list(200, () => ({ [words.word(8)]: 1, [words.word(8)]: 2 })) } }),
  },
  {
    what: "a question with 100 alternatives",
    count: 200,
    make: (round) => ({
      document: {
        resourceDocId: `question ${round}`,
        type: "QNA",
        question: words.known(8),
        answer: words.known(60),
        alternatives: list(100, () => words.known(8)),
      },
    }),
  },
];
