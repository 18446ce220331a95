import { describe, expect, it } from "vitest";
import { filesBelow, read } from "../tidy/source-files.ts";

const PAGES = filesBelow("docs/reliability", /\.md$/);

/** Rows of a page's tables of promises or of removed protections, without the rows of other tables. */
function provedRows(page: string): string[] {
  let isProved = false;
  return page.split("\n").filter((line) => {
    if (!line.startsWith("|")) isProved = false;
    else if (/^\| (promise|protection removed) \|/.test(line)) isProved = true;
    else return isProved && !line.startsWith("|---");
    return false;
  });
}

/** Whether the last cell of a row links a test, and no cell is empty. */
function isProved(row: string): boolean {
  const cells = row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""));
  return cells.every((cell) => cell !== "") && /\]\(\.\.\/\.\.\/(packages|test|tools)\//.test(cells.at(-1) ?? "");
}

describe("the pages on reliability", () => {
  it("are all in the overview", () => {
    const overview = read("docs/reliability.md");
    expect(PAGES.length).toBeGreaterThan(8);
    expect(PAGES.filter((page) => !overview.includes(`](${page.slice("docs/".length)})`))).toEqual([]);
  });

  it.each(PAGES)("have a test for every promise, and say how often it was tried: %s", (page) => {
    const rows = provedRows(read(page));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((row) => !isProved(row))).toEqual([]);
  });

  it("would be caught if a promise lacked them", () => {
    const page =
      "| promise | how often tried | proof |\n|---|---|---|\n| It holds | once | by reading |\n\n| a | b |\n| c | d |";
    expect(provedRows(page).map(isProved)).toEqual([false]);
    expect(isProved("| It holds |  | [a](../../test/a.test.ts) |")).toBe(false);
    expect(isProved("| It holds | once | [a](../../test/a.test.ts) |")).toBe(true);
  });
});
