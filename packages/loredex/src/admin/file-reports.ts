import type { FileReport } from "@loredex/http";
import type { ImportReport } from "@loredex/import";
import { consoleWords } from "./console-words.ts";
import { withoutUploadFolder } from "./uploads.ts";

/** Problems of one file that a job's report names, and of all its files. The last hundred jobs keep their reports in memory. */
export const [PROBLEMS_OF_FILE_MAX, PROBLEMS_OF_JOB_MAX] = [100, 500];
/** UTF-16 units of the name of one file. */
const TEXT_UNITS_MAX = 1_000;

/** Why nothing was imported where nothing failed. */
const NOTHING = "There is nothing to import in it: no text was found.";

type Problem = FileReport["problems"][number];

/** The report of a job, file by file: of one import after the other. */
export class FileReports {
  readonly #files: FileReport[] = [];
  #problems = 0;

  get all(): readonly FileReport[] {
    return [...this.#files];
  }

  /**
   * Adds the report of the import of one argument: its numbers stand at the first file, and each problem at its file. Problems beyond the bounds are counted.
   * @param nameOf the name of a file in the report, by its place
   */
  add(
    { added, changed, unchanged, removed, problems }: ImportReport,
    argument: string,
    { nameOf = (place: string): string => place, note = "" } = {},
  ): void {
    const first: Problem[] = [];
    const byFile = new Map<string, Problem[]>([[cut(nameOf(argument)), first]]);
    let left = 0;
    for (const { place, message } of problems) {
      const [, path = place, line] = /^(.*):(\d+)$/s.exec(place) ?? [];
      const file = cut(withoutUploadFolder(nameOf(path)));
      const known = byFile.get(file) ?? [];
      if (this.#problems >= PROBLEMS_OF_JOB_MAX || known.length >= PROBLEMS_OF_FILE_MAX) {
        left += 1;
        continue;
      }
      this.#problems += 1;
      known.push({ ...(line === undefined ? {} : { line: Number(line) }), message: consoleWords(message) });
      byFile.set(file, known);
    }
    if (left > 0) first.push({ message: `Further problems that are not listed: ${left}.` });
    if (note !== "") first.push({ message: note });
    if (added + changed + unchanged === 0 && problems.length === 0 && note === "") first.push({ message: NOTHING });
    const numbers = { imported: added + changed, unchanged, removed };
    const none = { imported: 0, unchanged: 0, removed: 0 };
    for (const [file, found] of byFile)
      this.#files.push({ file, ...(found === first ? numbers : none), problems: found });
  }
}

function cut(text: string): string {
  return text.length > TEXT_UNITS_MAX ? `${text.slice(0, TEXT_UNITS_MAX)}…` : text;
}
