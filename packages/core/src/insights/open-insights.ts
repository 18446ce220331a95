import { type RecordedPlace, RecordedState } from "../log/recorded-state.ts";
import { FEEDBACK_MS_MAX } from "../model/limits.ts";
import { insightsKind } from "./insights-kind.ts";
import type { InsightsRecord } from "./insights-records.ts";
import {
  type AskedQuestion,
  DAY_MS,
  type InsightsState,
  insightsBytes,
  type LoggedQuestion,
  type StoredFeedback,
} from "./insights-state.ts";
import type { KnowledgeView } from "./knowledge-view.ts";
import { maskedId } from "./mask.ts";

/** Questions leave the disk together: when the oldest is older than its days by this many milliseconds, half a day. */
const AGED_MS = 43_200_000;

/** The recorded insights of one bot, which its first record creates. */
export class OpenInsights {
  readonly #recorded: RecordedState<InsightsState, InsightsRecord>;
  /** Throws once the bot was removed. */
  readonly #refuseIfRemoved: () => void;

  constructor(place: RecordedPlace, store: string, refuseIfRemoved: () => void) {
    this.#refuseIfRemoved = refuseIfRemoved;
    const notPurged = (error: unknown): void => {
      const message = "Dropped questions could not be erased from the question log's older records yet.";
      place.logger({ level: "warn", event: "questionsNotPurged", message, error });
    };
    this.#recorded = new RecordedState({ ...place, kind: insightsKind(store), notPurged });
  }

  /** Results, also of computations that still run, by their name, with the version of the knowledge at their begin. */
  readonly #computed = new Map<string, { readonly version: number; readonly result: Promise<unknown> }>();

  /**
   * A result that depends on the bot's knowledge alone: of one version of it, all callers get the same one. Computations of one name run one after the
   * other. A failure is that of all who wait for it, and is not kept.
   */
  async computed<Result>(name: string, view: KnowledgeView, compute: () => Promise<Result>): Promise<Result> {
    const known = this.#computed.get(name);
    // A name is given to results of one type.
    if (known?.version === view.version) return known.result as Promise<Result>;
    await known?.result.catch(() => undefined);
    const begunSince = this.#computed.get(name);
    if (begunSince !== undefined && begunSince !== known) return begunSince.result as Promise<Result>;
    const result = compute();
    const entry = { version: view.version, result };
    this.#computed.set(name, entry);
    result.catch(() => {
      if (this.#computed.get(name) === entry) this.#computed.delete(name);
    });
    return result;
  }

  /** Reads the state. @throws LoredexError, as of a store that cannot be read */
  open(): Promise<void> {
    return this.#recorded.open();
  }

  /** The state, which must not be changed: as of the last {@link catchUp}, and later. */
  get state(): InsightsState {
    return this.#recorded.state;
  }

  /** About how much memory it takes, in bytes. */
  get bytes(): number {
    return insightsBytes(this.state);
  }

  /** Applies what other nodes have written. @throws LoredexError `UNREACHABLE` */
  catchUp(): Promise<void> {
    return this.#recorded.catchUp();
  }

  addQuestions(questions: readonly AskedQuestion[]): Promise<void> {
    return this.commit(() => ({ kind: "asked", questions }));
  }

  /** Keeps feedback on the last question with a request's id. Resolves with false if there is none of the last 24 hours. */
  async judge(requestId: string, feedback: StoredFeedback): Promise<boolean> {
    let isFound = false;
    await this.commit(({ questions }) => {
      const ids: readonly unknown[] = [requestId, maskedId(requestId)];
      const asked = questions.findLast((logged) => ids.includes(logged.requestId));
      isFound = asked !== undefined && asked.atMs >= feedback.atMs - FEEDBACK_MS_MAX;
      return asked !== undefined && isFound ? { kind: "judged", number: asked.number, feedback } : undefined;
    });
    return isFound;
  }

  /** Deletes the question log, also from the disk. */
  async clear(): Promise<void> {
    await this.commit(({ next }) => (next === 1 ? undefined : { kind: "cleared" }));
    await this.purge();
  }

  /** Erases what was dropped before from the disk. */
  purge(): Promise<void> {
    return this.#recorded.purge();
  }

  /** When the oldest questions are due to leave the disk, by the wall clock; `Infinity` if there are none. O(questions). */
  agedAtMs(days: number): number {
    const oldestMs = this.state.questions.reduce((least, { atMs }) => Math.min(least, atMs), Infinity);
    return oldestMs + days * DAY_MS + AGED_MS;
  }

  /** Drops the questions that were asked before an instant, also from the disk. */
  async dropBefore(beforeMs: number): Promise<void> {
    const isOld = ({ atMs }: LoggedQuestion): boolean => atMs < beforeMs;
    await this.commit(({ questions }) => (questions.some(isOld) ? { kind: "aged", beforeMs } : undefined));
    await this.#recorded.purgeRemoved();
  }

  /** Decides a record on the state, and writes it. Nothing is written if `decide` returns undefined. */
  commit(decide: (state: InsightsState) => InsightsRecord | undefined): Promise<void> {
    return this.#recorded.exclusively(async () => {
      this.#refuseIfRemoved();
      const record = decide(this.state);
      if (record !== undefined) await this.#recorded.commit(record);
    });
  }

  close(): Promise<void> {
    return this.#recorded.close();
  }
}
