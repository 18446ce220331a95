import { expect } from "vitest";
import { type Files, fuzzer, load, type Outcome } from "./loader-fuzz.ts";

export interface Counts {
  refused: number;
  opened: number;
}

/** So many changed directories: each is refused with one of our errors, or gives articles that were once written. */
export async function expectTypedErrors(
  files: Files,
  runs: number,
  options: { readonly seal: boolean; readonly seed: number },
): Promise<Counts> {
  const counts: Counts = { refused: 0, opened: 0 };
  const { next } = fuzzer(files, options.seed, options);
  for (let run = 0; run < runs; run += 1) {
    const { files: changed, what } = next();
    const outcome: Outcome = await load(changed, what, options.seal);
    if ("refused" in outcome) {
      if (options.seal) expect(what).not.toContain("search-index");
      counts.refused += 1;
    } else {
      counts.opened += 1;
      // Where the checksums tell, nothing is ever read that was not written; and the index is made again from what was.
      if (!options.seal || what.includes("search-index"))
        for (const article of outcome.articles) expect(article, what).toMatch(WRITTEN);
    }
  }
  return counts;
}

const WRITTEN = /^Title \d: (# Pears\n\nText \d \d €😀\.|Changed\.)$|^One more: A pear\.$/;
