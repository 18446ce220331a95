import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { BotRecord } from "../../src/domain/records.ts";
import type { SearchResult } from "../../src/domain/types.ts";
import { SEARCH_BUDGET } from "../../src/query/effort.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../src/query/embedded-texts.ts";
import { analyzeQuery } from "../../src/query/parsed-query.ts";
import { parseSearchRequest } from "../../src/query/request.ts";
import { SearchIndex } from "../../src/query/search-index.ts";
import { AnswerLine } from "../../src/runtime/answer-line.ts";
import { SharedTurns } from "../../src/runtime/shared-turns.ts";
import { answer, search } from "../../src/search.ts";
import { apply } from "../../src/state/apply.ts";
import { emptyState } from "../../src/state/state.ts";
import { analyzerOf } from "../../src/text/languages.ts";
import { Indexing } from "../../src/upkeep/indexing.ts";
import { encodeVector } from "../../src/vector/codes.ts";
import { PassageVectors } from "../../src/vector/passage-vectors.ts";
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
  readonly indexing: Indexing;
  #sequence = 0;

  constructor() {
    const { index } = this;
    index.partVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
    const { vectors } = vectorsOfABot({ state: this.#state, index, clock: everLater });
    const logger = (event: unknown): void => expect.fail(JSON.stringify(event));
    const onReadAnew = (): void => undefined;
    const language = { info: () => ({ id: "bot", language: "multi" }), written: UNREAD_LANGUAGES, background: false };
    this.indexing = new Indexing({
      ...language,
      state: this.#state,
      index,
      vectors,
      clock: everLater,
      logger,
      sleep: () => Promise.resolve(),
      onReadAnew,
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
          const keep = index.still.keep.bind(index.still);
          vi.spyOn(index.still, "keep").mockImplementation(() => {
            const [letGo, isSame] = [keep(), index.watch()];
            return () => {
              expect(isSame()).toBe(true);
              answered = ask();
              steps = 0;
              return letGo();
            };
          });
          const isStep = index.effort.isStep.bind(index.effort);
          vi.spyOn(index.effort, "isStep").mockImplementation((operations) => {
            if (isStep(operations)) steps++;
            else return false;
            return true;
          });
          // Whatever happens between two turns: something is always written, and the queue has its turn.
          const rest = async (): Promise<void> => {
            longest = Math.max(longest, steps);
            const next = meanwhile[rests++ % meanwhile.length] ?? expect.fail("nothing to write");
            bot.write(next);
            if (index.still.isKept) kept++;
            await setImmediate();
            steps = 0;
          };
          const line = new AnswerLine(new SharedTurns(everLater, rest));
          const embed = async (question: string) => ({ embedder, vector: embedder.vectorOf(question) });
          for (const query of questions) {
            const request = parseSearchRequest({ query });
            const embedded = await embed(query);
            ask = () => answer(index, request, analyzeQuery(query, index.reader), embedded);
            answered = undefined;
            steps = 0;
            const gone = ["a", "b", "c", "d", "e", "f"].filter((each) => bot.isGone(each));
            const found = await search(index, request, { line, embed, check: () => undefined });
            expect(found).toEqual(answered ?? ask());
            // What was deleted before is not found, unless it was written again meanwhile.
            for (const { resourceDocId, metaData } of found) {
              if (gone.includes(resourceDocId)) expect(metaData.written).toBeGreaterThanOrEqual(before.length);
            }
            expect(longest).toBeLessThanOrEqual(STEPS_A_TURN);
            expect(index.still.isKept).toBe(false);
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
const STEPS_A_TURN = 2;
