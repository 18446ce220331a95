import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { Indexer } from "../../src/background/indexer.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { apply } from "../../src/log/apply.ts";
import { emptyState } from "../../src/log/state.ts";
import type { BotRecord } from "../../src/model/records.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { TimeSlices } from "../../src/scheduling/time-slices.ts";
import { SEARCH_BUDGET } from "../../src/search/budget.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { search } from "../../src/search/search.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { UNREAD_LANGUAGES } from "../support/unread-languages.ts";
import { vectorsOfABot } from "../support/vectors-of-a-bot.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });

/** Each look at the clock is a turn later, and each term, passage and document is a step. */
let now = 0;
const everLater = { wallMs: () => 0, monotonicMs: () => ++now * 100 };

const WORDS = ["pear", "plum", "fig", "car", "automobile", "buy", "hound", "fast", "penguin", "harbour"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const content = fc.array(text, { minLength: 1, maxLength: 4 }).map((paragraphs) => paragraphs.join("\n\n## Next\n\n"));
const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const write = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("put" as const), id, md: content }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("amend" as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("vectors" as const), id }) },
);
type Write = typeof write extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A bot that is written to: its state, and the index that follows. */
class WrittenTo {
  readonly index = new SearchIndex(analyzer, undefined, { ...SEARCH_BUDGET, step: 1 });
  readonly #state = emptyState();
  readonly indexing: Indexer;
  #sequence = 0;

  constructor() {
    const { index } = this;
    index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
    const { vectors } = vectorsOfABot({ state: this.#state, index, clock: everLater });
    const logger = (event: unknown): void => expect.fail(JSON.stringify(event));
    const onReindexed = (): void => undefined;
    const language = { info: () => ({ id: "bot", language: "multi" }), written: UNREAD_LANGUAGES, background: false };
    this.indexing = new Indexer({
      ...language,
      state: this.#state,
      index,
      vectors,
      clock: everLater,
      logger,
      sleep: () => Promise.resolve(),
      onReindexed,
    });
  }

  write(next: Write): void {
    const [record, codes] = this.#recordOf(next);
    this.indexing.onApplied(apply(this.#state, record, ++this.#sequence, codes));
  }

  #recordOf(next: Write): readonly [BotRecord, Uint8Array?] {
    const { id, kind } = next;
    if (kind === "put") {
      const document = {
        resourceDocId: id,
        type: "DOCUMENT",
        status: "active",
        metaData: { written: this.#sequence },
        content: [{ md: next.md }],
      } as const;
      return [{ kind: "documentPut", document, contentHash: `${this.#sequence}` }];
    }
    if (kind === "remove") return [{ kind: "documentDelete", id }];
    if (kind === "amend")
      return [{ kind: "documentStatus", id, status: this.#sequence % 2 === 0 ? "active" : "inactive" }];
    const version = this.#state.documents.get(id)?.version ?? 0;
    const codes = new Uint8Array(encodeVector(embedder.vectorOf(WORDS[this.#sequence % WORDS.length] ?? "")));
    const space = { id: embedder.id, version: embedder.version, dimensions: embedder.dimensions };
    const made = { space, texts: EMBEDDED_TEXTS_VERSION, encoding: "int8", first: 0, count: 1 } as const;
    return [{ kind: "vectors", id, version, ...made }, codes];
  }

  /** Whether the newest of the document was written when nothing of it was there any more, and is not indexed yet. */
  isGone(id: string): boolean {
    return !this.#state.documents.has(id);
  }
}

describe("a search of a bot that changes all the time", () => {
  it("ends in turns, with the answer of one moment since it was asked, and holds no write up for good", async () => {
    const runs = lawRuns(240);
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 10, maxLength: 20 }),
        fc.array(write, { minLength: 3, maxLength: 8 }),
        fc.array(text, { minLength: 1, maxLength: 3 }),
        async (before, meanwhile, questions) => {
          const bot = new WrittenTo();
          const { index, indexing } = bot;
          for (const each of before) bot.write(each);
          await indexing.queue.whenIdle();
          let [steps, longest, rests] = [0, 0, 0];
          let ask = (): SearchResult[] => [];
          let answered: SearchResult[] | undefined;
          const pin = index.pin.pin.bind(index.pin);
          vi.spyOn(index.pin, "pin").mockImplementation(() => {
            const [unpin, isSame] = [pin(), index.watch()];
            return () => {
              expect(isSame()).toBe(true);
              answered = ask();
              steps = 0;
              return unpin();
            };
          });
          const shouldYield = index.effort.shouldYield.bind(index.effort);
          vi.spyOn(index.effort, "shouldYield").mockImplementation((operations) => {
            if (shouldYield(operations)) steps++;
            else return false;
            return true;
          });
          // Whatever happens between two turns: something is always written, and the queue has its turn.
          const rest = async (): Promise<void> => {
            longest = Math.max(longest, steps);
            const next = meanwhile[rests++ % meanwhile.length] ?? expect.fail("nothing to write");
            bot.write(next);
            if (index.pin.isPinned) kept++;
            await setImmediate();
            steps = 0;
          };
          const queue = new SearchQueue(TimeSlices.ofSearches(everLater, rest));
          const embed = async (question: string) => ({ embedder, vector: embedder.vectorOf(question) });
          for (const query of questions) {
            const request = parseSearchRequest({ query });
            const embedded = await embed(query);
            ask = () => answer(index, request, analyzeQuery(query, index.reader), embedded);
            answered = undefined;
            steps = 0;
            const gone = ["a", "b", "c", "d", "e", "f"].filter((each) => bot.isGone(each));
            const found = await search(index, request, { queue, embed, check: () => undefined });
            expect(found).toEqual(answered ?? ask());
            // What was deleted before is not found, unless it was written again meanwhile.
            for (const { resourceDocId, metaData } of found) {
              if (gone.includes(resourceDocId)) expect(metaData.written).toBeGreaterThanOrEqual(before.length);
            }
            expect(longest).toBeLessThanOrEqual(SLICES_A_TURN);
            expect(index.pin.isPinned).toBe(false);
          }
          await indexing.queue.whenIdle();
          for (const each of ["a", "b", "c", "d", "e", "f"]) {
            expect(index.versionOf(each) === undefined).toBe(bot.isGone(each));
          }
        },
      ),
      { numRuns: runs },
    );
    expect(kept).toBeGreaterThan(runs / 10);
  });
});

/** Some loops count once more before they rest. */
const SLICES_A_TURN = 2;
