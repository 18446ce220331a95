import { type ArgumentProblem, SOURCE_NOTES_MAX } from "@loredex/core";
import { keptText, noteMarkOf } from "../reading/note-mark.ts";

/**
 * Notes on the files of an argument. A note is reported once, when an import of its file produces it. Earlier notes are kept and counted, also for unchanged
 * files, which are not converted again. The texts of the first {@link SOURCE_NOTES_MAX} are kept.
 */
export class FileNotes {
  readonly #before = new Map<string, ArgumentProblem[]>();
  /** True if there may be more earlier notes than were kept. */
  readonly #isCut: boolean;
  readonly #now: ArgumentProblem[] = [];
  #again = 0;

  /** @param before the notes in the argument's last report */
  constructor(before: readonly ArgumentProblem[] = []) {
    this.#isCut = before.length >= SOURCE_NOTES_MAX;
    for (const note of before) this.#before.set(note.place, [...this.#of(note.place), note]);
  }

  /** Adds a note. True if it is to be reported now. */
  add(file: string, message: string): boolean {
    const note = { place: keptText(file), message: keptText(message) };
    this.#keep([note]);
    const isSaid = this.#of(file).some((known) => known.message === note.message);
    if (isSaid) this.#again += 1;
    return !isSaid;
  }

  /** True if all notes of a file were reported: an import that was aborted has reported none. */
  isSaid(file: string, noteMark: string): boolean {
    return noteMark === "" || this.#isCut || noteMarkOf(this.#of(file).map(({ message }) => message)) === noteMark;
  }

  /** Counts the earlier notes of a file that was not converted again. */
  unchanged(file: string, notes: number): void {
    const known = this.#of(file);
    this.#again += Math.max(known.length, notes);
    this.#keep(known);
  }

  /** Number of earlier notes that still hold. */
  get again(): number {
    return this.#again;
  }

  /** All notes, for the argument's report. */
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
