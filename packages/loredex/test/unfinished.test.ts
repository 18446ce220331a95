import type { VectorStats } from "@loredex/core";
import { expect, it } from "vitest";
import { tellUnfinished, unfinished } from "../src/commands/unfinished.ts";
import type { BotDetails } from "../src/operator/operator.ts";
import { CapturedTerminal } from "./support/captured-terminal.ts";

const DONE: VectorStats = {
  embedder: "fake",
  texts: 10,
  vectors: 10,
  staticVectors: 0,
  documentsWaiting: 0,
  documentsGivenUp: 0,
  failures: 0,
  graph: "none",
};

/** A bot with these figures. */
function details(vectors: Partial<VectorStats>): BotDetails {
  // Boundary of the test: nothing else of a bot is looked at.
  return { stats: { vectors: { ...DONE, ...vectors } } } as BotDetails;
}

const said = (vectors: Partial<VectorStats>): string | undefined => unfinished(details(vectors));

/** What is said at the end of an import that brought nothing. */
function saidOfNothing(vectors: Partial<VectorStats>): string {
  const terminal = new CapturedTerminal();
  tellUnfinished(details(vectors), false, terminal);
  return terminal.errors;
}

const TOKEN_CODES = { texts: 10, diskBytes: 1_000, documentsWaiting: 0, documentsGivenUp: 0 };

it("says what is found without vectors, and what without reranking, for now or until the next start", () => {
  expect(said({})).toBeUndefined();
  expect(said({ tokenCodes: TOKEN_CODES })).toBeUndefined();
  expect(said({ documentsWaiting: 2, tokenCodes: { ...TOKEN_CODES, documentsWaiting: 2 } })).toMatch(
    /^2 documents are found by words alone until the embedder has read all: /,
  );
  const blocked = "The key is refused. To mend it: set the key";
  expect(said({ documentsWaiting: 1, staticVectors: 3, blocked })).toBe(
    `1 document is found by words and by the built-in static embedder, and that stays so until this is mended: ${blocked}`,
  );
  expect(said({ tokenCodes: { ...TOKEN_CODES, documentsWaiting: 1, documentsGivenUp: 3 } })).toMatch(
    /^1 document is found without reranking until its token codes are made: /,
  );
  expect(said({ tokenCodes: { ...TOKEN_CODES, documentsGivenUp: 3 } })).toMatch(
    /^3 documents are found without reranking: the token codes could not be made or kept, /,
  );
});

it("says of an import that brought nothing only what somebody has to mend", () => {
  expect(saidOfNothing({ documentsWaiting: 2, tokenCodes: { ...TOKEN_CODES, documentsWaiting: 2 } })).toBe("");
  expect(saidOfNothing({ tokenCodes: { ...TOKEN_CODES, documentsGivenUp: 3 } })).toBe("");
  expect(saidOfNothing({ documentsWaiting: 2, blocked: "the key is refused" })).toMatch(
    /^2 documents are found by words alone, and that stays so until this is mended: the key is refused\n$/,
  );
  const missing = { name: "fake", why: "why", instead: "words", story: "It is not installed." } as const;
  expect(saidOfNothing({ missing })).toBe("It is not installed.\n");
});
