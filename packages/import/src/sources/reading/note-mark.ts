import { createHash } from "node:crypto";
import { SOURCE_PROBLEM_CHARACTERS_MAX } from "@loredex/core";

/** Enough characters to distinguish two lists of notes of one file. */
const HASH_CHARACTERS = 16;

/** Returns a text as a bot keeps it in the report of an argument. */
export function keptText(text: string): string {
  return text.slice(0, SOURCE_PROBLEM_CHARACTERS_MAX).toWellFormed();
}

/** Returns a mark of a file's notes: their number and a hash. It is short enough for each of the file's documents. Empty without notes. */
export function noteMarkOf(messages: readonly string[]): string {
  if (messages.length === 0) return "";
  const hash = createHash("sha256").update(JSON.stringify(messages.map(keptText)));
  return `${messages.length}-${hash.digest("hex").slice(0, HASH_CHARACTERS)}`;
}

/** Returns the number of notes that the mark stands for. */
export function notesIn(mark: string): number {
  return mark === "" ? 0 : Number.parseInt(mark, 10);
}
