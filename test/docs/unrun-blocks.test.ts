import { describe, expect, it } from "vitest";
import { ON_THE_COMMAND_LINE, pagesWithCode, wronglyListed } from "../installed/pages.ts";

const pages = pagesWithCode();

describe("what no page runs", () => {
  it("is listed with the reason, and nothing else is", () => {
    expect(wronglyListed(pages)).toEqual([]);
  });

  it("hides no command", () => {
    const hidden = pages
      .filter(({ name }) => !ON_THE_COMMAND_LINE.test(name) && name !== "examples/sync-folder/README.md")
      .flatMap(({ texts }) => texts)
      .filter(({ language, text }) => language !== "python" && /^(\$|npm|npx|node|loredex|import) /m.test(text))
      .map(({ page, line }) => `${page}:${line}`);
    expect(hidden).toEqual([]);
  });
});
