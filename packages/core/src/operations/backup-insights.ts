/**
 * The questions of a bot's users in its backup: the last section, `insights`, as in the snapshots of their store. A restore puts it into a store of its own.
 */

import { insightsName } from "../catalog/store-names.ts";
import { INSIGHTS_SECTION, readInsights } from "../insights/insights-kind.ts";
import { emptyInsights } from "../insights/insights-state.ts";
import { understandingInSlices } from "../log/unreadable.ts";
import { LoredexError } from "../model/errors.ts";
import type { TimeSlices } from "../scheduling/time-slices.ts";
import type { LoadedSection, SnapshotSection, Storage } from "../storage/store.ts";

/** More than the section of any bot has: the question log and the runs are bounded. */
const BYTES_MAX = 134_217_728;

/** Whether a section of a backup holds the questions of users. */
export function holdsInsights({ name }: Pick<SnapshotSection, "name">): boolean {
  return name === INSIGHTS_SECTION;
}

/**
 * Reads the section to its end, which verifies the backup, and checks it.
 * @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT`
 */
export async function readQuestions(section: SnapshotSection, slices: TimeSlices): Promise<LoadedSection> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of section.chunks) {
    bytes += piece.length;
    if (bytes > BYTES_MAX) throw new LoredexError("CORRUPT", `The backup's section "${section.name}" is too long.`);
    pieces.push(piece);
  }
  const loaded = { name: section.name, version: section.version, bytes: Buffer.concat(pieces) };
  const read = readInsights(emptyInsights(), loaded);
  await slices.run(understandingInSlices("The backup", read, "Nothing was restored; use another backup."));
  return loaded;
}

/** Makes the store of a restored bot's questions; without any, removes what an earlier bot of this id has left. */
export async function keepQuestions(storage: Storage, botId: string, questions?: LoadedSection): Promise<void> {
  const name = insightsName(botId);
  if (questions === undefined) return storage.remove(name);
  const section = { name: questions.name, version: questions.version, chunks: [questions.bytes] };
  await storage.create(name, { sequence: 1, sections: [section] }, { replaces: true });
}
