import { botIdOfInsights, insightsName } from "../catalog/store-names.ts";
import type { RecordedPlace } from "../log/recorded-state.ts";
import { isDamage, LoredexError, reasonOf } from "../model/errors.ts";
import { FOUND_OF_QUESTION_MAX, REQUEST_ID_CHARACTERS_MAX } from "../model/limits.ts";
import type { BotInfo } from "../model/types.ts";
import { atMostEvery } from "../platform/at-most-every.ts";
import { OpenOnDemand } from "../platform/open-on-demand.ts";
import type { SnapshotSection } from "../storage/store.ts";
import { insightsSections } from "./insights-kind.ts";
import { DAY_MS } from "./insights-state.ts";
import type { KnowledgeView } from "./knowledge-view.ts";
import { masked, maskedId } from "./mask.ts";
import type { NotedSearch } from "./noted-search.ts";
import { OpenInsights } from "./open-insights.ts";
import { WaitingQuestions } from "./waiting-questions.ts";

/** How long a question waits at most before it is written, and before it is tried again after a failure, in milliseconds. */
const [WRITTEN_AFTER_MS, AGAIN_AFTER_MS] = [1_000, 5_000];
/** The pause before old questions are first sought, and between two times, in milliseconds. */
const [FIRST_SOUGHT_MS, SOUGHT_MS] = [10_000, 3_600_000];
/** The pause between two log events on the same trouble, in milliseconds. */
const TOLD_MS = 60_000;
/** The most memory of all insights that are open, in bytes: a sixteenth of the memory of open bots, and not more than this. */
const BYTES_MAX = 134_217_728;
const BYTES_SHARE = 1 / 16;
/** Open insights for each open bot: each holds two files, as a bot does. */
const OPEN_SHARE = 1 / 4;

export interface InsightsInUseDeps extends RecordedPlace {
  /** How many bots may be open. Insights may be a share of it. */
  readonly openBotsMax: number;
  /** The memory of all open bots. Insights take a share of it. */
  readonly memoryBytes: number;
  /** Whether old questions are dropped in the background. */
  readonly background: boolean;
  /** The settings of a bot; undefined if it was removed. */
  readonly infoOf: (id: string) => BotInfo | undefined;
  /** Applies the changes of bots that other nodes have made: a removed bot gets no question log again. */
  readonly catchUpCatalog: () => Promise<void>;
  /** Works with what a bot knows, which is kept open meanwhile. */
  readonly viewing: <Result>(id: string, work: (view: KnowledgeView) => Promise<Result>) => Promise<Result>;
}

/** The insights of all bots. Each is opened on its first use. Questions wait for a second, so that a search waits for no disk. */
export class InsightsInUse {
  readonly #deps: InsightsInUseDeps;
  readonly #open: OpenOnDemand<OpenInsights>;
  readonly #waiting = new WaitingQuestions();
  readonly #closing = new AbortController();
  /** The next writing of all that waits. */
  #writing: Promise<void> | undefined;
  /** By bot, the one that runs: a later one comes after it, so that questions keep their order. */
  readonly #runs = new Map<string, Promise<void>>();
  /** When the oldest question of a bot is due to leave the disk. */
  readonly #agedAtMs = new Map<string, number>();
  readonly #seeking: Promise<void> | undefined;
  readonly #tell: (message: string) => void;

  constructor(deps: InsightsInUseDeps) {
    this.#deps = deps;
    const { logger, clock, openBotsMax, memoryBytes } = deps;
    this.#open = new OpenOnDemand({
      open: async (id) => {
        const insights = new OpenInsights(deps, insightsName(id), () => this.infoOf(id));
        await insights.open();
        return insights;
      },
      close: (insights) => insights.close(),
      occupation: () => "none",
      whenInterruptible: async () => undefined,
      bytes: ({ bytes }) => bytes,
      openMax: Math.max(1, Math.floor(openBotsMax * OPEN_SHARE)),
      bytesMax: Number.isFinite(memoryBytes) ? Math.min(BYTES_MAX, memoryBytes * BYTES_SHARE) : memoryBytes,
      onEvict: () => undefined,
      onCloseFailed: (botId, error) =>
        logger({
          level: "warn",
          event: "questionLogNotClosed",
          message: "A question log could not be closed properly.",
          botId,
          error,
        }),
      isRefused: () => false,
    });
    this.#seeking = deps.background ? this.#seek() : undefined;
    this.#tell = atMostEvery(clock, TOLD_MS, (message) =>
      logger({ level: "warn", event: "questionLogFailed", message }),
    );
  }

  /** Keeps the question of a search, if its bot has a question log. It never fails or waits: what cannot be kept is logged. */
  note(botId: string, { question, results, requestId }: NotedSearch): void {
    const info = this.#deps.infoOf(botId);
    if (info?.questionLog !== true || this.#closing.signal.aborted) return;
    const text = masked(question).trim();
    if (text === "") return;
    const found = results.slice(0, FOUND_OF_QUESTION_MAX).map(({ resourceDocId }) => resourceDocId);
    const score = results[0]?.bestMatchScore ?? 0;
    this.#waiting.add(botId, {
      atMs: Math.floor(this.#deps.clock.wallMs()),
      question: text,
      score,
      found,
      ...(requestId === undefined ? {} : { requestId: maskedId(requestId.slice(0, REQUEST_ID_CHARACTERS_MAX)) }),
      isGap: score < info.gapScore || found.length === 0,
    });
    this.#writeLater();
  }

  /** Works with the insights of a bot, with all questions written that were asked here before. @throws LoredexError `BOT_NOT_FOUND` */
  async use<Result>(id: string, work: (insights: OpenInsights) => Promise<Result>): Promise<Result> {
    await this.#deps.catchUpCatalog();
    this.infoOf(id);
    await this.#write(id);
    return this.#open.use(id, async (insights) => {
      await insights.catchUp();
      return work(insights);
    });
  }

  /** Works with what the bot knows. @throws LoredexError as of opening the bot */
  viewing<Result>(id: string, work: (view: KnowledgeView) => Promise<Result>): Promise<Result> {
    return this.#deps.viewing(id, work);
  }

  /** The settings of a bot. @throws LoredexError `BOT_NOT_FOUND` */
  infoOf(id: string): BotInfo {
    const info = this.#deps.infoOf(id);
    if (info === undefined) throw new LoredexError("BOT_NOT_FOUND", `There is no bot with the id or name ${id}.`);
    return info;
  }

  get clock(): RecordedPlace["clock"] {
    return this.#deps.clock;
  }

  /** All that is kept of a bot's users, for a backup; empty if nothing is. */
  sections(id: string): Promise<readonly SnapshotSection[]> {
    return this.use(id, async ({ state }) => (state.sequence === 0 ? [] : insightsSections(state)));
  }

  /** Erases questions from the disk that were dropped before the call. */
  purge(id: string): Promise<void> {
    return this.use(id, (insights) => insights.purge());
  }

  /** Deletes a bot's question log, also a damaged one: of that nothing can be kept. */
  async clear(id: string): Promise<void> {
    this.infoOf(id);
    this.#waiting.take(id);
    try {
      await this.use(id, (insights) => insights.clear());
    } catch (error) {
      if (!isDamage(error)) throw error;
      await this.discard(id);
      await this.#deps.storage.remove(insightsName(id));
    }
  }

  /** Closes the insights of a bot whose store is about to be deleted. */
  async discard(id: string): Promise<void> {
    this.#waiting.take(id);
    this.#agedAtMs.delete(id);
    await this.#runs.get(id);
    await this.#open.discard(id, (insights) => insights.close());
  }

  /** Writes all that waits, and closes all. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await Promise.all(this.#waiting.botIds.map((id) => this.#write(id)));
    this.#tellDropped();
    await this.#seeking;
    await this.#open.close();
  }

  #writeLater(afterMs = WRITTEN_AFTER_MS): void {
    this.#writing ??= this.#writeAfter(afterMs).finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAfter(ms: number): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = ms; !this.#waiting.isEmpty && !signal.aborted; ) {
      await this.#deps.idleSleep(pauseMs, signal);
      if (signal.aborted) return;
      const areWritten = await Promise.all(this.#waiting.botIds.map((id) => this.#write(id)));
      this.#tellDropped();
      pauseMs = areWritten.includes(false) ? AGAIN_AFTER_MS : WRITTEN_AFTER_MS;
    }
  }

  /** Writes the waiting questions of a bot. Never rejects: false if they wait for another try. */
  async #write(id: string): Promise<boolean> {
    const before = this.#runs.get(id);
    if (before === undefined && !this.#waiting.has(id)) return true;
    let isWritten = true;
    const run = (before ?? Promise.resolve()).then(async () => {
      isWritten = await this.#written(id);
    });
    this.#runs.set(id, run);
    await run;
    if (this.#runs.get(id) === run) this.#runs.delete(id);
    return isWritten;
  }

  async #written(id: string): Promise<boolean> {
    const questions = this.#waiting.take(id);
    if (questions.length === 0) return true;
    try {
      await this.#deps.catchUpCatalog();
      await this.#open.use(id, (insights) => insights.addQuestions(questions));
      return true;
    } catch (error) {
      if (this.#deps.infoOf(id) === undefined || isClosed(error)) return true;
      this.#waiting.putBack(id, questions);
      const message = `The question log of the bot ${id} cannot be written; searches continue, and it is tried again.`;
      this.#tell(`${message} ${reasonOf(error)}`);
      return false;
    }
  }

  #tellDropped(): void {
    const dropped = this.#waiting.takeDropped();
    if (dropped > 0)
      this.#tell(`${dropped} questions were not kept: too many waited to be written to the question logs.`);
  }

  async #seek(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = FIRST_SOUGHT_MS; ; pauseMs = SOUGHT_MS) {
      await this.#deps.idleSleep(pauseMs, signal);
      if (signal.aborted) return;
      await this.#dropAged().catch((error: unknown) => {
        this.#tell(`Old questions could not be sought: that is tried again in an hour. ${reasonOf(error)}`);
      });
    }
  }

  /** Drops the questions of all bots that are older than their days. Only question logs that may hold such questions are opened. */
  async #dropAged(): Promise<void> {
    for (const store of await this.#deps.storage.list()) {
      const id = botIdOfInsights(store);
      const info = id === undefined ? undefined : this.#deps.infoOf(id);
      if (id === undefined || info === undefined || this.#closing.signal.aborted) continue;
      const nowMs = this.#deps.clock.wallMs();
      if ((this.#agedAtMs.get(id) ?? 0) > nowMs) continue;
      try {
        await this.use(id, async (insights) => {
          if (insights.agedAtMs(info.questionLogDays) <= nowMs)
            await insights.dropBefore(nowMs - info.questionLogDays * DAY_MS);
          // The settings may change meanwhile: it is checked once a day in any case.
          this.#agedAtMs.set(id, Math.min(insights.agedAtMs(info.questionLogDays), nowMs + DAY_MS));
        });
      } catch (error) {
        const message = `Old questions of the bot ${id} could not be dropped: that is tried again in an hour.`;
        this.#tell(`${message} ${reasonOf(error)}`);
      }
    }
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof LoredexError && error.code === "CLOSED";
}
