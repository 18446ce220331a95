/** A report has the words of so many notes on files and pages; all of them are counted. */
const FOUND_NOTES_MAX = 1_000;

/** What a report says beside its counts, a line each. */
export class ReportNotes {
  readonly #lines: string[] = [];
  #found = 0;

  /** Of the import, or of an argument. */
  add(line: string): void {
    this.#lines.push(line);
  }

  /** Of a file or a page, of which there may be any number. */
  addFound(line: string): void {
    this.#found += 1;
    if (this.#found <= FOUND_NOTES_MAX) this.#lines.push(line);
  }

  get all(): readonly string[] {
    const more = this.#found - FOUND_NOTES_MAX;
    if (more <= 0) return this.#lines;
    return [...this.#lines, `${more} more ${more === 1 ? "note" : "notes"} on files and pages are not listed`];
  }
}
