import type { GoldenInput, GoldenQuestion } from "../evaluation/golden.ts";
import type {
  Contradiction,
  FeedbackInput,
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

/** What the users of one bot ask and do not find, and whether the bot gets better. Get one from {@link Engine.insights}. */
export interface Insights {
  /** The id of its bot. */
  readonly id: string;
  /** Keeps a user's word on the answer to a search. @throws LoredexError `QUESTION_NOT_FOUND`, ValidationError */
  feedback(input: FeedbackInput): Promise<void>;
  /** The question log, newest first. */
  questions(request?: QuestionPageRequest): Promise<QuestionRow[]>;
  /** Deletes the question log, with the figures of its weeks. Its text has left the disk when this resolves. */
  clear(): Promise<void>;
  /** Questions that found little, grouped by meaning, worst first. */
  gaps(request?: GapRequest): Promise<Gap[]>;
  /** Articles that no search of the log has found, the oldest first: at most 1,000. */
  neverFound(): Promise<NamedDocument[]>;
  /** Documents that have most of their text in common: at most 1,000 pairs. */
  nearDuplicates(): Promise<NearDuplicate[]>;
  /** Lines of different documents that may contradict each other: at most 1,000 pairs. */
  contradictions(): Promise<Contradiction[]>;
  /** The figures of the last weeks, oldest first. */
  weeks(): Promise<InsightsWeek[]>;
  /** The golden questions of the bot. */
  golden(): Promise<GoldenQuestion[]>;
  /** Replaces the golden questions; an empty list removes them. @throws ValidationError naming every broken rule */
  setGolden(golden: readonly GoldenInput[]): Promise<void>;
  /** The kept runs, newest first: the last 200. */
  runs(): Promise<RunSummary[]>;
  /** A kept run with its misses; undefined if there is none with this id. */
  run(id: string): Promise<Run | undefined>;
  /** Keeps an evaluation as a run. */
  addRun(input: RunInput): Promise<RunSummary>;
  /** What got better and worse from a run to a later one. @throws LoredexError `RUN_NOT_FOUND` */
  compareRuns(before: string, after: string): Promise<RunComparison>;
}
