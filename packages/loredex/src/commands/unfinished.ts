import { setTimeout as wait } from "node:timers/promises";
import type { BotDetails, Operator } from "../operator/operator.ts";
import type { Progress } from "../progress.ts";
import { grouped } from "../terminal.ts";

/** How often the progress of the vectors is shown. */
const PROGRESS_MS = 500;

/** Waits until all is found by meaning, and shows how far that is. */
export async function vectorsMade(operator: Operator, bot: string, progress: Progress): Promise<void> {
  const made = operator.whenUpgraded(bot);
  let isMade = false;
  made.then(
    () => {
      isMade = true;
    },
    () => {
      isMade = true;
    },
  );
  while (!isMade) {
    const { vectors } = (await operator.showBot(bot)).stats;
    progress.update(`${grouped(vectors.vectors)} of ${grouped(vectors.texts)} passages and questions understood`);
    await Promise.race([made.catch(() => undefined), wait(PROGRESS_MS, undefined, { ref: false })]);
  }
  await made;
}

/** What still waits for vectors, in a line; undefined if nothing does. */
export function unfinished({ stats: { vectors } }: BotDetails): string | undefined {
  if (vectors.unavailable !== undefined) return `Found by words alone: ${vectors.unavailable}`;
  if (vectors.documentsWaiting === 0) return undefined;
  const waiting =
    vectors.documentsWaiting === 1 ? "1 document is" : `${grouped(vectors.documentsWaiting)} documents are`;
  const by = vectors.studentVectors > 0 ? "the student's vectors" : "words";
  return `${waiting} found by ${by} until the encoder has read all: in a running server, or with --wait-vectors.`;
}
