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

  /**
   * How one caller works with a bot, which was opened just now, in `openedMs`. The first report includes that time, unless its work begins later after the opening
   * than the opening took: then the opening was not for this work. A server opens a bot and reads the body of the request before it searches.
   */
  by<Bot>(botId: string, openedMs: number, use: UseOf<Bot>): Observed<Bot> {
    const openedAtMs = this.#clock.monotonicMs();
    let beforeMs = openedMs;
    return async (kind, work, { outcomeOf, signal } = {}) => {
      const working = () => use(work, { isSearch: kind === "search" || kind === "suggest", signal });
      const tell = this.#tell;
      if (tell === undefined) return working();
      const nowMs = this.#clock.monotonicMs();
      const startedMs = nowMs - (nowMs - openedAtMs <= openedMs ? beforeMs : 0);
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
