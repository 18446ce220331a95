import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { LoredexError } from "../model/errors.ts";
import { BUNDLED_HINT } from "../platform/bundled.ts";
import { sharedWhileHeld } from "../platform/shared-while-held.ts";
import { scheduler } from "../scheduling/scheduler.ts";
import { LanguageDetector } from "./language-detector.ts";
import { readNgramTable } from "./ngram-table.ts";

/**
 * Opens the language detector: about 1.5 MB of memory, some milliseconds, in time slices. All holders in a process share one.
 * @throws LoredexError `CORRUPT` if its file is not the shipped one, `STORAGE_FAILED` if it is missing
 */
export const openLanguageDetector: () => Promise<LanguageDetector> = sharedWhileHeld(async () => {
  const table = readNgramTable(await shippedTable());
  for (let step = table.next(); ; step = table.next()) {
    if (step.done === true) return new LanguageDetector(step.value);
    await scheduler.background();
  }
});

/** Reads the shipped table. `imports` of package.json gives its path, for sources and builds. */
async function shippedTable(): Promise<Uint8Array> {
  try {
    return await readFile(createRequire(import.meta.url).resolve("#model/languages/table.bin"));
  } catch (cause) {
    const message = `The table of languages is not where @loredex/core has it. ${BUNDLED_HINT}`;
    throw new LoredexError("STORAGE_FAILED", message, { cause });
  }
}
