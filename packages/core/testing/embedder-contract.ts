import { strict as assert } from "node:assert";
import type { Embedder, StaticEmbedder } from "../src/embedding/embedder.ts";
import { requireUsable } from "../src/embedding/embedder-checks.ts";
import { requireEntries, requireQuestionTokens } from "../src/embedding/token-checks.ts";
import { type ContractCase, casesOf, type Demands, exactly } from "./contract.ts";

/** A question, its answer in other words, and a text about something else. */
export interface Understood {
  readonly question: string;
  readonly answer: string;
  readonly other: string;
}

const BUYING: Understood = {
  question: "How do I buy a car?",
  answer: "To buy a car, ask at the desk.",
  other: "Penguins live on ice.",
};

/** Options of {@link embedderContract}. */
export interface EmbedderContractOptions {
  /** Texts that the embedder must tell apart. Default: three English ones. */
  readonly understands?: Understood;
  /**
   * An open embedder for the cases that close none, which the caller closes at the end. For embedders that take long to open. Default: each
   * case opens its own.
   */
  readonly shared?: () => Embedder;
}

/** Texts that any embedder must read: none, marks alone, and more than it reads of a text. */
const HARD_TEXTS = ["", "\u{1f600}\u0000 \ud800".toWellFormed(), "word ".repeat(5_000)];

interface Given {
  readonly texts: readonly string[];
  readonly understands: Understood;
  /** Opens an embedder of the case's own, which the case closes. */
  readonly open: () => Promise<Embedder>;
  /** Runs `work` on an open embedder, which `work` does not close. */
  readonly onOpen: (work: (embedder: Embedder) => Promise<void>) => Promise<void>;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function requireUnitLength(vector: Float32Array | undefined, dimensions: number): void {
  assert.equal(vector?.length, dimensions);
  const length = Math.hypot(...(vector ?? []));
  assert.ok(Math.abs(length - 1) < 1e-4, `a vector has the length ${length}, not 1`);
}

function requireShare(share: number): void {
  assert.ok(share >= 0 && share <= 1, `${share} is not in 0 to 1`);
}

/** The same list with its first element last. */
function rotated<T>([first, ...rest]: readonly T[]): T[] {
  return first === undefined ? [] : [...rest, first];
}

/** Whether a promise is fulfilled at the time of the call. Ended work can neither be aborted nor closed. */
async function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol("pending");
  return (await Promise.race([promise, pending]).catch(() => pending)) !== pending;
}

const EMBEDDER_DEMANDS: Demands<Given> = {
  "an embedder has all fields, each with a value that can be used": ({ onOpen }) =>
    onOpen(async (embedder) => requireUsable(embedder)),

  "an embedder gives one vector of length 1 for each text, in order, whatever the text": ({ onOpen, texts }) =>
    onOpen(async (embedder) => {
      const vectors = await embedder.embedPassages(texts);
      assert.equal(vectors.length, texts.length);
      for (const vector of vectors) requireUnitLength(vector, embedder.dimensions);
      assert.deepEqual(await embedder.embedPassages(rotated(texts)), rotated(vectors));
      assert.deepEqual(await embedder.embedPassages([]), []);
    }),

  "an embedder gives the same vector for the same question": ({ onOpen, texts }) =>
    onOpen(async (embedder) => {
      for (const text of texts) {
        const first = await embedder.embedQuery(text);
        requireUnitLength(first, embedder.dimensions);
        assert.deepEqual(await embedder.embedQuery(text), first);
      }
    }),

  "an embedder puts a question closer to its answer than to another text": ({ onOpen, understands }) =>
    onOpen(async (embedder) => {
      const question = await embedder.embedQuery(understands.question);
      const passages = await embedder.embedPassages([understands.answer, understands.other]);
      const [near = -1, far = 1] = passages.map((passage) => cosine(question, passage));
      assert.ok(near > far, `the cosine ${near} of the answer is not above the ${far} of the other text`);
      if (embedder.calibrate === undefined) return;
      assert.ok(embedder.calibrate(near) > embedder.calibrate(far), "their similarities are no longer in this order");
    }),

  "an embedder subtracts nothing from the cosines of a meaningful question": ({ onOpen, understands, texts }) =>
    onOpen(async (embedder) => {
      if (embedder.bias === undefined) return;
      assert.equal(embedder.bias(await embedder.embedQuery(understands.question)), 0);
      for (const text of texts) assert.ok(embedder.bias(await embedder.embedQuery(text)) >= 0, "a bias is at least 0");
    }),

  "an embedder takes no question that asks something for small talk, and tells a share of any other": ({
    onOpen,
    understands,
    texts,
  }) =>
    onOpen(async (embedder) => {
      if (embedder.smallTalk === undefined) return;
      assert.equal(embedder.smallTalk(await embedder.embedQuery(understands.question)), 0);
      for (const text of texts) requireShare(embedder.smallTalk(await embedder.embedQuery(text)));
    }),

  "an embedder that gives token codes gives them with the same vectors": ({ onOpen, texts }) =>
    onOpen(async (embedder) => {
      const { tokens } = embedder;
      if (tokens === undefined) return;
      const passages = await tokens.embedPassages(texts);
      assert.deepEqual(passages.vectors, await embedder.embedPassages(texts));
      requireEntries(passages, texts.length, tokens.space);
      const [first] = passages.tokens;
      assert.ok((first?.tokenCodes.length ?? 0) > 3 * tokens.space.bytes, "a sentence has more than three tokens");
      assert.deepEqual((await tokens.embedPassages(texts)).tokens, passages.tokens);
      for (const text of texts) {
        const question = await tokens.embedQuery(text);
        assert.deepEqual(question.vector, await embedder.embedQuery(text));
        requireQuestionTokens(question.tokens, tokens.space);
      }
      const reason = new Error("enough");
      await assert.rejects(tokens.embedPassages(["text"], AbortSignal.abort(reason)), exactly(reason));
    }),

  "an embedder rejects with the reason of an abort, before a call and during it": ({ onOpen }) =>
    onOpen(async (embedder) => {
      const reason = new Error("enough");
      await assert.rejects(embedder.embedPassages(["text"], AbortSignal.abort(reason)), exactly(reason));
      await assert.rejects(embedder.embedQuery("text", AbortSignal.abort(reason)), exactly(reason));
      const during = new AbortController();
      const texts = Array.from({ length: 64 }, (_, i) => `a longer text, number ${i}`);
      const call = embedder.embedPassages(texts, during.signal);
      during.abort(reason);
      if (!(await isFulfilled(call))) await assert.rejects(call, exactly(reason));
      assert.equal((await embedder.embedPassages(["the next call"])).length, 1);
    }),

  "an embedder rejects pending and later calls once it is closed, and can be closed twice": async ({ open }) => {
    const embedder = await open();
    const pending = embedder.embedPassages(Array.from({ length: 64 }, (_, i) => `text ${i}`));
    const closed = embedder.close();
    if (!(await isFulfilled(pending))) await assert.rejects(pending);
    await closed;
    await embedder.close();
    await assert.rejects(embedder.embedPassages(["text"]));
    await assert.rejects(embedder.embedQuery("text"));
    if (embedder.tokens !== undefined) await assert.rejects(embedder.tokens.embedQuery("text"));
  },
};

/**
 * The contract of the port `Embedder`, with that of its token encoder if it has one.
 * @param open opens an embedder; the case that opened it closes it
 */
export function embedderContract(open: () => Promise<Embedder>, options: EmbedderContractOptions = {}): ContractCase[] {
  const { understands = BUYING, shared } = options;
  const onOpen = async (work: (embedder: Embedder) => Promise<void>): Promise<void> => {
    if (shared !== undefined) return work(shared());
    const embedder = await open();
    try {
      await work(embedder);
    } finally {
      await embedder.close();
    }
  };
  const texts = [understands.question, understands.answer, understands.other, ...HARD_TEXTS];
  return casesOf(EMBEDDER_DEMANDS, { texts, understands, open, onOpen });
}

interface GivenStatic {
  readonly texts: readonly string[];
  readonly open: () => Promise<StaticEmbedder>;
}

const STATIC_DEMANDS: Demands<GivenStatic> = {
  "a static embedder says what it is": async ({ open }) => {
    const { id, version, space, weight, mixedWeight } = await open();
    for (const name of [id, version, space.id, space.version]) assert.notEqual(name, "");
    assert.ok(Number.isInteger(space.dimensions) && space.dimensions > 0, "space.dimensions is an integer from 1");
    for (const share of [weight, mixedWeight])
      assert.ok(share >= 0 && share <= 1, `the weight ${share} is not in 0 to 1`);
  },

  "a static embedder gives a vector of length 1 for each text, always the same, and never throws": async (given) => {
    const embedder = await given.open();
    for (const text of given.texts) {
      const vector = Float32Array.from(embedder.embed(text));
      requireUnitLength(vector, embedder.space.dimensions);
      assert.deepEqual(Float32Array.from(embedder.embed(text)), vector);
    }
  },

  "a static embedder says of any text whether it knows it": async ({ open, texts }) => {
    const embedder = await open();
    if (embedder.knows === undefined) return;
    for (const text of texts) assert.equal(typeof embedder.knows(text), "boolean");
    assert.equal(embedder.knows(texts[0] ?? ""), true);
  },

  "a static embedder takes no question that asks something for small talk": async ({ open, texts }) => {
    const embedder = await open();
    if (embedder.smallTalk === undefined) return;
    assert.equal(embedder.smallTalk(embedder.embed(texts[0] ?? "")), 0);
    for (const text of texts) requireShare(embedder.smallTalk(embedder.embed(text)));
  },

  "a static embedder calibrates to similarities from 0 to 1 that never fall": async ({ open }) => {
    const embedder = await open();
    let before = 0;
    for (let percent = -100; percent <= 100; percent += 1) {
      const similarity = embedder.calibrate(percent / 100);
      assert.ok(
        similarity >= before && similarity <= 1,
        `the cosine ${percent / 100} has the similarity ${similarity}`,
      );
      before = similarity;
    }
  },
};

/** The contract of the port `StaticEmbedder`. It has no `close`. */
export function staticEmbedderContract(
  open: () => Promise<StaticEmbedder>,
  { question, answer, other }: Understood = BUYING,
): ContractCase[] {
  return casesOf(STATIC_DEMANDS, { texts: [question, answer, other, ...HARD_TEXTS], open });
}
