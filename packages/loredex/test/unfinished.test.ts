import type { VectorStats } from "@loredex/core";
import { expect, it } from "vitest";
import { unfinished } from "../src/commands/unfinished.ts";
import type { BotDetails } from "../src/operator/operator.ts";

const DONE: VectorStats = {
  embedder: "fake",
  texts: 10,
  vectors: 10,
  studentVectors: 0,
  documentsWaiting: 0,
  documentsGivenUp: 0,
  failures: 0,
  graph: "none",
};

/** What is said of a bot with these figures. */
function said(vectors: Partial<VectorStats>): string | undefined {
  // Boundary of the test: nothing else of a bot is looked at.
  return unfinished({ stats: { vectors: { ...DONE, ...vectors } } } as BotDetails);
}

const SIGNS = { texts: 10, diskBytes: 1_000, documentsWaiting: 0, documentsGivenUp: 0 };

it("says what is found without vectors, and what without the third look, for now or until the next start", () => {
  expect(said({})).toBeUndefined();
  expect(said({ tokenSigns: SIGNS })).toBeUndefined();
  expect(said({ documentsWaiting: 2, tokenSigns: { ...SIGNS, documentsWaiting: 2 } })).toMatch(
    /^2 documents are found by words alone until the embedder has read all: /,
  );
  const blocked = "The key is refused. To mend it: set the key";
  expect(said({ documentsWaiting: 1, studentVectors: 3, blocked })).toBe(
    `1 document is found by words and by the built-in small encoder (student), and that stays so until this is mended: ${blocked}`,
  );
  expect(said({ tokenSigns: { ...SIGNS, documentsWaiting: 1, documentsGivenUp: 3 } })).toMatch(
    /^1 document is found without the third look until its signs are made: /,
  );
  expect(said({ tokenSigns: { ...SIGNS, documentsGivenUp: 3 } })).toMatch(
    /^3 documents are found without the third look: the signs could not be made or kept, /,
  );
});
