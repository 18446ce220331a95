import { describe, expect, it } from "vitest";
import { pagesWithCode } from "../installed/pages.ts";

/** Where a block may replace or revoke the key that a bot's clients use: the page is about that, or the block made the key. */
const ALLOWED = new Set([
  "docs/command-line/bots-and-keys.md: KEY=$(loredex key rotate acme --json | jq -r .key)",
  "docs/tutorial.md: KEY=$(loredex key rotate shop --json | jq -r .key)",
]);

/** Lines that cut clients off: a bot's key is replaced, or the one of a name that the same block did not add. */
function cuttingLines(text: string): string[] {
  return text.split("\n").filter((line) => {
    const [, verb, bot, name] = /\bkey (rotate|revoke) (\S+)(?: ([^\s-]\S*))?/.exec(line) ?? [];
    if (verb === undefined) return false;
    return name === undefined || !text.includes(`key add ${bot} ${name} `);
  });
}

describe("pages that need a key", () => {
  it("add one, and leave the keys of others as they are when they are followed on a live bot", () => {
    const cutting = pagesWithCode().flatMap(({ name, blocks }) =>
      blocks.flatMap(({ text }) => cuttingLines(text).map((line) => `${name}: ${line.trim()}`)),
    );
    expect(cutting.filter((line) => !ALLOWED.has(line))).toEqual([]);
    expect([...ALLOWED].filter((line) => !cutting.includes(line))).toEqual([]);
  });

  it("would be caught if they replaced one", () => {
    expect(cuttingLines("KEY=$(npx loredex key rotate acme --json | jq -r .key)")).toHaveLength(1);
    expect(cuttingLines("npx loredex key revoke acme site")).toHaveLength(1);
    expect(cuttingLines("npx loredex key add acme site --json\nnpx loredex key revoke acme site")).toEqual([]);
  });
});
