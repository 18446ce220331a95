import { type GoldenQuestion, kinds, LoredexError, parseGolden, requireArguments } from "@loredex/core";
import { readJsonLines } from "@loredex/import/files";

/** The longest line in bytes. A question has at most 4,096 characters, so no valid line comes near it. */
const LINE_BYTES_MAX = 1_048_576;

/** The contents of a golden file. */
export interface GoldenFile {
  readonly questions: readonly GoldenQuestion[];
  /** The line number of each question. */
  readonly lines: readonly number[];
  /** Lines that are no golden question, with the reason. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Reads questions with known answers, one JSON object per line. Blank lines are skipped.
 * @throws Error if the file cannot be read, with its path and the reason
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
