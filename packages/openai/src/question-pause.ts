import { ServerProblem } from "./server-problem.ts";

/** The first pause; each further one is twice as long, up to the maximum. */
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;

/**
 * A circuit breaker for questions. After a question without an answer, the next ones are refused at once for a while, longer each time. The first answer of any
 * kind ends the pause.
 */
export class QuestionPause {
  readonly #monotonicMs: () => number;
  #untilMs = Number.NEGATIVE_INFINITY;
  #inARow = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** @throws ServerProblem `away` during the pause */
  refuseIfPaused(): void {
    const leftMs = this.#untilMs - this.#monotonicMs();
    if (leftMs <= 0) return;
    throw new ServerProblem(
      "away",
      "The model server did not answer the last question in time: it is asked again soon.",
    );
  }

  onAnswer(): void {
    this.#inARow = 0;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  onSilence(): void {
    // Unanswered questions that ran at the same time count as one.
    if (this.#untilMs > this.#monotonicMs()) return;
    this.#untilMs = this.#monotonicMs() + Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** this.#inARow);
    this.#inARow += 1;
  }
}
