import { QUESTION_UNITS_WAITING_MAX, QUESTIONS_WAITING_MAX } from "../model/limits.ts";
import type { AskedQuestion } from "./insights-state.ts";

/** Masked questions that wait to be written, by bot. Bounded for all bots together: further ones are dropped and counted. */
export class WaitingQuestions {
  readonly #byBot = new Map<string, AskedQuestion[]>();
  #count = 0;
  #units = 0;
  #dropped = 0;

  add(botId: string, asked: AskedQuestion): void {
    this.#put(botId, [asked]);
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  has(botId: string): boolean {
    return this.#byBot.has(botId);
  }

  get botIds(): string[] {
    return [...this.#byBot.keys()];
  }

  /** The number of questions that were dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** Takes the questions of a bot out. */
  take(botId: string): readonly AskedQuestion[] {
    const taken = this.#byBot.get(botId) ?? [];
    this.#byBot.delete(botId);
    this.#count -= taken.length;
    this.#units -= unitsOf(taken);
    return taken;
  }

  /** Puts questions back that could not be written, before those that came meanwhile. */
  putBack(botId: string, questions: readonly AskedQuestion[]): void {
    const since = this.take(botId);
    this.#put(botId, questions);
    this.#put(botId, since);
  }

  #put(botId: string, questions: readonly AskedQuestion[]): void {
    const waiting = this.#byBot.get(botId) ?? [];
    for (const asked of questions) {
      const units = unitsOf([asked]);
      if (this.#count >= QUESTIONS_WAITING_MAX || this.#units + units > QUESTION_UNITS_WAITING_MAX) {
        this.#dropped += 1;
        continue;
      }
      waiting.push(asked);
      this.#count += 1;
      this.#units += units;
    }
    if (waiting.length > 0) this.#byBot.set(botId, waiting);
  }
}

function unitsOf(questions: readonly AskedQuestion[]): number {
  return questions.reduce((sum, { question }) => sum + question.length, 0);
}
