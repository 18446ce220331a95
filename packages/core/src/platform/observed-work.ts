import { LoredexError } from "../model/errors.ts";
import type { ImportOutcome } from "../model/types.ts";
import type { WorkEvent, WorkKind } from "../model/work.ts";
import { carefulLogger } from "./careful-logger.ts";
import type { Clock } from "./clock.ts";

/** Reports work when it has ended, if `tell` is given; otherwise it costs nothing. */
export class ObservedWork {
  readonly #clock: Clock;
  readonly #tell: ((event: WorkEvent) => void) | undefined;

  /** Errors that `tell` throws only cause one warning of the process. @throws ValidationError for what is no function */
  constructor(clock: Clock, tell?: (event: WorkEvent) => void) {
    this.#clock = clock;
    this.#tell = tell === undefined ? undefined : carefulLogger(tell, "onWork");
  }

  /** Does work, and reports its duration with its outcome or its error code. */
  async during<Result>(
    botId: string,
    kind: WorkKind,
    work: () => Promise<Result>,
    outcomeOf?: (result: Result) => ImportOutcome,
  ): Promise<Result> {
    const tell = this.#tell;
    if (tell === undefined) return work();
    const startedMs = this.#clock.monotonicMs();
    const ended = () => ({ botId, kind, durationMs: this.#clock.monotonicMs() - startedMs });
    try {
      const result = await work();
      tell({ ...ended(), ...(outcomeOf === undefined ? {} : { outcome: outcomeOf(result) }) });
      return result;
    } catch (error) {
      tell({ ...ended(), code: error instanceof LoredexError ? error.code : "UNKNOWN" });
      throw error;
    }
  }
}
