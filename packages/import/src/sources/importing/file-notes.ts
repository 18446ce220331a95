import { type ArgumentProblem, SOURCE_PROBLEM_CHARACTERS_MAX } from "@loredex/core";

/**
 * What is to be said of the files of an argument. It is said once, when a file brings it: what was said before is kept and counted, also of files that have
 * not changed and so were not converted again.
 */
export class FileNotes {
  readonly #before = new Map<string, ArgumentProblem[]>();
  readonly #now: ArgumentProblem[] = [];
  #again = 0;

  /** @param before as the argument's last report has them */
  constructor(before: readonly ArgumentProblem[] = []) {
    for (const note of before) this.#before.set(note.place, [...this.#of(note.place), note]);
  }

  /** Whether this is to be said now. */
  add(file: string, message: string): boolean {
    const note = { place: file, message: message.slice(0, SOURCE_PROBLEM_CHARACTERS_MAX) };
    this.#now.push(note);
    const isSaid = this.#of(file).some((known) => known.message === note.message);
    if (isSaid) this.#again += 1;
    return !isSaid;
  }

  /** A file that was not converted again. */
  unchanged(file: string): void {
    const known = this.#of(file);
    this.#again += known.length;
    this.#now.push(...known);
  }

  /** What was said before, and still holds. */
  get again(): number {
    return this.#again;
  }

  /** For the argument's report. */
  get all(): readonly ArgumentProblem[] {
    return this.#now;
  }

  #of(file: string): readonly ArgumentProblem[] {
    return this.#before.get(file) ?? [];
  }
}
