import { type ArgumentProblem, SOURCE_NOTES_MAX } from "@loredex/core";
import { keptText, noteMarkOf } from "../reading/note-mark.ts";

/**
 * What is to be said of the files of an argument. It is said once, when a file brings it: what was said before is kept and counted, also of files that have
 * not changed and so were not converted again. The words of the first {@link SOURCE_NOTES_MAX} are kept.
 */
export class FileNotes {
  readonly #before = new Map<string, ArgumentProblem[]>();
  /** More may have been said before than was kept. */
  readonly #isCut: boolean;
  readonly #now: ArgumentProblem[] = [];
  #again = 0;

  /** @param before as the argument's last report has them */
  constructor(before: readonly ArgumentProblem[] = []) {
    this.#isCut = before.length >= SOURCE_NOTES_MAX;
    for (const note of before) this.#before.set(note.place, [...this.#of(note.place), note]);
  }

  /** Whether this is to be said now. */
  add(file: string, message: string): boolean {
    const note = { place: keptText(file), message: keptText(message) };
    this.#keep([note]);
    const isSaid = this.#of(file).some((known) => known.message === note.message);
    if (isSaid) this.#again += 1;
    return !isSaid;
  }

  /** Whether all of a file's notes were said before: an import that did not come to its end has said none. */
  isSaid(file: string, noteMark: string): boolean {
    return noteMark === "" || this.#isCut || noteMarkOf(this.#of(file).map(({ message }) => message)) === noteMark;
  }

  /** A file that was not converted again, of which so many notes were said. */
  unchanged(file: string, notes: number): void {
    const known = this.#of(file);
    this.#again += Math.max(known.length, notes);
    this.#keep(known);
  }

  /** What was said before, and still holds. */
  get again(): number {
    return this.#again;
  }

  /** For the argument's report. */
  get all(): readonly ArgumentProblem[] {
    return this.#now;
  }

  #keep(notes: readonly ArgumentProblem[]): void {
    this.#now.push(...notes.slice(0, SOURCE_NOTES_MAX - this.#now.length));
  }

  #of(file: string): readonly ArgumentProblem[] {
    return this.#before.get(keptText(file)) ?? [];
  }
}
