import { createHash } from "node:crypto";
import { SOURCE_PROBLEM_CHARACTERS_MAX } from "@loredex/core";

/** Enough for two lists of notes of one file to differ by. */
const HASH_CHARACTERS = 16;

/** A text as a bot keeps it in the report of an argument. */
export function keptText(text: string): string {
  return text.slice(0, SOURCE_PROBLEM_CHARACTERS_MAX).toWellFormed();
}

/** What is to be said of a file, so short that each of its documents can keep it: how many notes, and by what they are known. Empty where there are none. */
export function noteMarkOf(messages: readonly string[]): string {
  if (messages.length === 0) return "";
  const hash = createHash("sha256").update(JSON.stringify(messages.map(keptText)));
  return `${messages.length}-${hash.digest("hex").slice(0, HASH_CHARACTERS)}`;
}

/** How many notes the mark stands for. */
export function notesIn(mark: string): number {
  return mark === "" ? 0 : Number.parseInt(mark, 10);
}
