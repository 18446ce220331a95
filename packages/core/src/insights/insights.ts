import { type GoldenInput, type GoldenQuestion, parseGoldens } from "../evaluation/golden.ts";
import { type ContentChangeOptions, contentCondition, requireContent } from "../model/entity-tags.ts";
import { LoredexError, ValidationError } from "../model/errors.ts";
import { A_STRING, CHECKED_WITHIN, kind, type OptionKinds } from "../model/known-options.ts";
import { GOLDEN_QUESTIONS_MAX, GOLDEN_UNITS_MAX } from "../model/limits.ts";
import { CONTENT_CHANGE_OPTIONS } from "../model/option-tables.ts";
import { requireArguments } from "../model/require-options.ts";
import { isFields } from "../model/validation.ts";
import { type Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import { contradictions } from "./contradictions.ts";
import { gapsOf } from "./gaps.ts";
import type { InsightsInUse } from "./insights-in-use.ts";
import { DAY_MS, type InsightsState, type LoggedQuestion, type StoredRun } from "./insights-state.ts";
import { type KnowledgeView, titleOf } from "./knowledge-view.ts";
import { masked } from "./mask.ts";
import { nearDuplicates } from "./near-duplicates.ts";
import { parseFeedback, parseGapRequest, parseQuestionPage } from "./requests.ts";
import { comparison, runOf, storedRun } from "./runs.ts";
import type {
  Contradiction,
  Gap,
  GapRequest,
  InsightsWeek,
  NamedDocument,
  NearDuplicate,
  QuestionPageRequest,
  QuestionRow,
  Run,
  RunComparison,
  RunInput,
  RunSummary,
} from "./types.ts";

const QUESTION_PAGE: OptionKinds<QuestionPageRequest> = { limit: CHECKED_WITHIN, before: CHECKED_WITHIN };
const GAP_REQUEST: OptionKinds<GapRequest> = { limit: CHECKED_WITHIN, belowScore: CHECKED_WITHIN };
const GOLDEN = kind<readonly GoldenInput[]>("array", "a list of questions with their answers", Array.isArray);
const AN_EVALUATION = kind<RunInput>("object", "an evaluation, as evaluate gives it", isFields);

/**
 * What the users of one bot ask and do not find, and whether the bot gets better: its question log, its golden questions and their runs. Get one from
 * {@link Engine.insights}. A call with an unknown option, or with a value of a wrong type, throws a ValidationError.
 */
export class Insights {
  /** The id of its bot. */
  readonly id: string;
  readonly #inUse: InsightsInUse;

  /** @internal The engine makes it. */
  constructor(id: string, inUse: InsightsInUse) {
    this.id = id;
    this.#inUse = inUse;
  }

  /**
   * Keeps what a user said about the answer to a search; see {@link FeedbackInput}. It replaces earlier feedback on that search. On a bot without a question
   * log nothing is kept.
   * @throws LoredexError `QUESTION_NOT_FOUND` unless the log has a search with this request id in the last 24 hours; ValidationError
   */
  async feedback(input: unknown): Promise<void> {
    const { requestId, resourceDocId, comment, helpful } = parseFeedback(input);
    if (!this.#inUse.infoOf(this.id).questionLog) return;
    const feedback = {
      atMs: Math.floor(this.#nowMs),
      helpful,
      ...(resourceDocId === undefined ? {} : { resourceDocId: await this.#knownId(resourceDocId) }),
      ...(comment === undefined ? {} : { comment: masked(comment) }),
    };
    if (await this.#inUse.use(this.id, (insights) => insights.judge(requestId, feedback))) return;
    throw new LoredexError(
      "QUESTION_NOT_FOUND",
      "The question log has no search with this request id in the last 24 hours. Send the x-request-id of the search.",
    );
  }

  /** The question log, newest first. @throws ValidationError */
  async questions(request: QuestionPageRequest = {}): Promise<QuestionRow[]> {
    requireArguments("Insights.questions", { request }, { request: QUESTION_PAGE });
    const { limit, before } = parseQuestionPage(request);
    const rows = (await this.#kept()).filter(({ number }) => number < before).slice(-limit);
    if (rows.length === 0) return [];
    return this.#inUse.viewing(this.id, async (view) => rows.reverse().map((row) => rowOf(row, view)));
  }

  /** Deletes the question log, with the figures of its weeks: its text has left the disk when this resolves. A log that is damaged is deleted whole. */
  async clear(): Promise<void> {
    await this.#inUse.clear(this.id);
  }

  /** Questions that found little, grouped by meaning, worst first: by the sum of 1 − best score. @throws ValidationError */
  async gaps(request: GapRequest = {}): Promise<Gap[]> {
    requireArguments("Insights.gaps", { request }, { request: GAP_REQUEST });
    const { limit, belowScore } = parseGapRequest(request, this.#inUse.infoOf(this.id).gapScore);
    const questions = await this.#kept();
    if (questions.length === 0) return [];
    const gaps = await this.#viewed((view) => gapsOf({ questions, belowScore, nowMs: this.#nowMs }, view));
    return gaps.slice(0, limit);
  }

  /**
   * Articles that no search of the log has found among its first ten documents, the oldest first: at most 1,000. Empty while nothing was asked.
   * Of bots with more than 100,000 documents, articles that were found long ago may be among them.
   */
  neverFound(): Promise<NamedDocument[]> {
    const sinceMs = this.#sinceMs;
    return this.#inUse.use(this.id, ({ state }) =>
      state.questions.length === 0 ? Promise.resolve([]) : this.#viewed((view) => neverFound(view, state, sinceMs)),
    );
  }

  /** Documents that have most of their text in common, the most similar first: at most 1,000 pairs. Paraphrases are not found. */
  nearDuplicates(): Promise<NearDuplicate[]> {
    return this.#computed("nearDuplicates", nearDuplicates);
  }

  /**
   * Lines of different documents that differ in numbers or a negation alone, and so may contradict each other: at most 1,000 pairs. The text is
   * compared, not its meaning.
   */
  contradictions(): Promise<Contradiction[]> {
    return this.#computed("contradictions", contradictions);
  }

  /** The figures of the last weeks that have any, at most 60, oldest first. Deleting the log deletes them too. */
  async weeks(): Promise<InsightsWeek[]> {
    const weeks = await this.#read(({ weeks: known }) => [...known]);
    return weeks.sort(([a], [b]) => (a < b ? -1 : 1)).map(([week, figures]) => ({ week, ...figures }));
  }

  /** The golden questions of the bot, in their order. */
  golden(): Promise<readonly GoldenQuestion[]> {
    return this.#read(({ golden }) => golden);
  }

  /**
   * Replaces the golden questions: at most 2,000. An empty list removes them. Resolves with them as they are kept.
   * @throws ValidationError naming every broken rule, LoredexError `CONTENT_CHANGED` if `ifMatch` is given and does not match
   */
  async setGolden(
    golden: readonly GoldenInput[],
    options: ContentChangeOptions = {},
  ): Promise<readonly GoldenQuestion[]> {
    const kinds = { golden: GOLDEN, options: CONTENT_CHANGE_OPTIONS };
    requireArguments("Insights.setGolden", { golden, options }, kinds);
    const tags = contentCondition(options);
    if (golden.length > GOLDEN_QUESTIONS_MAX) throw tooMuch("maxItems", `at most ${GOLDEN_QUESTIONS_MAX} questions`);
    const parsed = golden.length === 0 ? [] : parseGoldens(golden);
    if (JSON.stringify(parsed).length > GOLDEN_UNITS_MAX)
      throw tooMuch("maxLength", `at most ${GOLDEN_UNITS_MAX} characters in all, as JSON`);
    await this.#inUse.use(this.id, (insights) =>
      insights.commit(({ golden: known }) => {
        requireContent(tags, known);
        return { kind: "goldenSet", golden: parsed };
      }),
    );
    return parsed;
  }

  /** The kept runs, newest first: the last 200. */
  runs(): Promise<RunSummary[]> {
    return this.#read(({ runs }) => runs.map(({ summary }) => summary).reverse());
  }

  /** A kept run with its misses; undefined if there is none with this id. */
  async run(id: string): Promise<Run | undefined> {
    requireArguments("Insights.run", { id }, { id: A_STRING });
    const run = await this.#runOf(id);
    return run && runOf(run);
  }

  /** Keeps an evaluation as a run. Resolves with its summary. @throws ValidationError naming every broken rule */
  async addRun(input: RunInput): Promise<RunSummary> {
    requireArguments("Insights.addRun", { input }, { input: AN_EVALUATION });
    const run = storedRun(input, this.#nowMs);
    let { summary } = run;
    await this.#inUse.use(this.id, (insights) =>
      insights.commit(({ nextRun }) => {
        summary = { ...run.summary, id: String(nextRun) };
        return { kind: "runAdded", run: { ...run, summary } };
      }),
    );
    return summary;
  }

  /** What got better and worse from a run to a later one. @throws LoredexError `RUN_NOT_FOUND` */
  async compareRuns(before: string, after: string): Promise<RunComparison> {
    requireArguments("Insights.compareRuns", { before, after }, { before: A_STRING, after: A_STRING });
    const [earlier, later] = [await this.#runOf(before), await this.#runOf(after)];
    if (earlier !== undefined && later !== undefined) return comparison(earlier, later);
    const missing = earlier === undefined ? before : after;
    throw new LoredexError("RUN_NOT_FOUND", `There is no kept run with the id ${missing}; the last 200 are kept.`);
  }

  /** An id as feedback may keep it: the id of a document, or else a masked text, since a web page can send any. */
  #knownId(id: string): Promise<string> {
    return this.#inUse.viewing(this.id, async (view) => (view.document(id) === undefined ? masked(id) : id));
  }

  get #nowMs(): number {
    return this.#inUse.clock.wallMs();
  }

  #runOf(id: string): Promise<StoredRun | undefined> {
    return this.#read(({ runs }) => runs.find(({ summary }) => summary.id === id));
  }

  #read<Result>(read: (state: InsightsState) => Result): Promise<Result> {
    return this.#inUse.use(this.id, async ({ state }) => read(state));
  }

  /** The beginning of the days of the log. */
  get #sinceMs(): number {
    return this.#nowMs - this.#inUse.infoOf(this.id).questionLogDays * DAY_MS;
  }

  /** The questions of the log within its days, oldest first. */
  #kept(): Promise<LoggedQuestion[]> {
    const sinceMs = this.#sinceMs;
    return this.#read(({ questions }) => questions.filter(({ atMs }) => atMs >= sinceMs));
  }

  #computed<Result>(name: string, work: (view: KnowledgeView) => Sliced<Result>): Promise<Result> {
    const slices = new TimeSlices(this.#inUse.clock);
    return this.#inUse.use(this.id, (insights) =>
      this.#inUse.viewing(this.id, (view) => insights.computed(name, view, () => slices.run(work(view)))),
    );
  }

  /** Computes with what the bot knows, in time slices. */
  #viewed<Result>(work: (view: KnowledgeView) => Sliced<Result>): Promise<Result> {
    const slices = new TimeSlices(this.#inUse.clock);
    return this.#inUse.viewing(this.id, (view) => slices.run(work(view)));
  }
}

/** Documents of one list. */
const NEVER_FOUND_MAX = 1_000;
const SLICE_ARTICLES = 64;

function* neverFound(view: KnowledgeView, { found }: InsightsState, sinceMs: number): Sliced<NamedDocument[]> {
  const never: NamedDocument[] = [];
  let read = 0;
  for (const id of view.articleIds()) {
    read += 1;
    if (read % SLICE_ARTICLES === 0) yield;
    if (never.length >= NEVER_FOUND_MAX) break;
    if ((found.get(id) ?? Number.NEGATIVE_INFINITY) >= sinceMs) continue;
    const title = titleOf(view, id);
    never.push({ id, ...(title === undefined ? {} : { title }) });
  }
  return never;
}

function rowOf(
  { number, atMs, question, score, nearest, requestId, feedback }: LoggedQuestion,
  view: KnowledgeView,
): QuestionRow {
  const title = nearest === undefined ? undefined : titleOf(view, nearest);
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    id: number,
    askedAt: at(atMs),
    question,
    bestScore: score,
    ...(nearest === undefined ? {} : { nearest: { id: nearest, ...(title === undefined ? {} : { title }), score } }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(feedback === undefined ? {} : { feedback: feedbackOf(feedback, at) }),
  };
}

function feedbackOf(
  { atMs, ...said }: NonNullable<LoggedQuestion["feedback"]>,
  at: (ms: number) => string,
): NonNullable<QuestionRow["feedback"]> {
  return { ...said, at: at(atMs) };
}

function tooMuch(type: string, what: string): ValidationError {
  return new ValidationError([{ field: "golden", type, message: `golden must have ${what}` }]);
}
