import { LoredexError } from "../model/errors.ts";
import type { ImportOutcome } from "../model/types.ts";
import type { WorkEvent, WorkKind } from "../model/work.ts";
import { carefulLogger } from "./careful-logger.ts";
import type { Clock } from "./clock.ts";

/** Works with a bot, and reports the work when it has ended. */
export type Observed<Bot> = <Result>(
  kind: WorkKind,
  work: WorkWith<Bot, Result>,
  options?: { readonly outcomeOf?: (result: Result) => ImportOutcome; readonly signal?: AbortSignal | undefined },
) => Promise<Result>;

type WorkWith<Bot, Result> = (bot: Bot, staleMs?: number) => Result | Promise<Result>;

/** Lends a bot to work. */
type UseOf<Bot> = <Result>(
  work: WorkWith<Bot, Result>,
  calling: { readonly isSearch: boolean; readonly signal?: AbortSignal | undefined },
) => Promise<Result>;

/** Reports work when it has ended, if `tell` is given; otherwise it costs nothing. */
export class ObservedWork {
  readonly #clock: Clock;
  readonly #tell: ((event: WorkEvent) => void) | undefined;

  /** Errors that `tell` throws only cause one warning of the process. @throws ValidationError for what is no function */
  constructor(clock: Clock, tell?: (event: WorkEvent) => void) {
    this.#clock = clock;
    this.#tell = tell === undefined ? undefined : carefulLogger(tell, "onWork");
  }

  /** How one caller works with a bot. The first report includes the time that opening the bot took. */
  by<Bot>(botId: string, waitedMs: number, use: UseOf<Bot>): Observed<Bot> {
    let beforeMs = waitedMs;
    return async (kind, work, { outcomeOf, signal } = {}) => {
      const working = () => use(work, { isSearch: kind === "search" || kind === "suggest", signal });
      const tell = this.#tell;
      if (tell === undefined) return working();
      const startedMs = this.#clock.monotonicMs() - beforeMs;
      beforeMs = 0;
      const ended = () => ({ botId, kind, durationMs: this.#clock.monotonicMs() - startedMs });
      try {
        const result = await working();
        tell({ ...ended(), ...(outcomeOf === undefined ? {} : { outcome: outcomeOf(result) }) });
        return result;
      } catch (error) {
        tell({ ...ended(), code: error instanceof LoredexError ? error.code : "UNKNOWN" });
        throw error;
      }
    };
  }
}
