import { type GoldenQuestion, kinds, LoredexError, parseGolden, requireArguments } from "@loredex/core";
import { readJsonLines } from "@loredex/import/files";

/** A question takes at most 4,096 characters: no honest line comes near this. */
const LINE_BYTES_MAX = 1_048_576;

/** What a golden file holds. */
export interface GoldenFile {
  readonly questions: readonly GoldenQuestion[];
  /** The line of each question. */
  readonly lines: readonly number[];
  /** Lines that are no golden question, and why. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Reads questions with known answers, one JSON object a line; blank lines are passed over.
 * @throws Error if the file cannot be read: its path, and why
 */
export async function readGoldenFile(path: string): Promise<GoldenFile> {
  requireArguments("readGoldenFile", { path }, { path: kinds.A_TEXT });
  const questions: GoldenQuestion[] = [];
  const lines: number[] = [];
  const problems: { line: number; message: string }[] = [];
  for await (const read of readJsonLines(path, LINE_BYTES_MAX)) {
    const { line } = read;
    if ("problem" in read) {
      problems.push({ line, message: read.problem });
      continue;
    }
    try {
      questions.push(parseGolden(read.value));
      lines.push(line);
    } catch (error) {
      if (!(error instanceof LoredexError) || error.code !== "VALIDATION") throw error;
      problems.push({ line, message: error.message });
    }
  }
  return { questions, lines, problems };
}
