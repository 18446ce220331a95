/** Maximum notes on files and pages whose texts a report has; all of them are counted. */
const FOUND_NOTES_MAX = 1_000;

/** Notes of a report beside its counts, one line each. */
export class ReportNotes {
  readonly #lines: string[] = [];
  #found = 0;

  /** Adds a note on the import, or on an argument. */
  add(line: string): void {
    this.#lines.push(line);
  }

  /** Adds a note on a file or a page; their number is not limited. */
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
