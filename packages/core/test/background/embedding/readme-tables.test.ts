import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DOCUMENT_MOVES } from "../../../src/background/embedding/embedding-jobs.ts";
import { tableInWords } from "./transition-table.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../../src/background/embedding/README.md", import.meta.url)),
  "utf8",
);

/** The first and the last cell of each row of the table below a heading. */
function tableBelow(heading: string): Record<string, string> {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? expect.fail(`No heading ${heading}.`);
  const rows = [...section.matchAll(/^\| `(\w+)` \|.*\| ([^|]*) \|$/gm)];
  return Object.fromEntries(rows.map(([, name = "", moves = ""]) => [name, moves]));
}

const HOW = "Copy what the code has into the last column of the table of the page";

it("the states of making vectors are those of the page, with the same transitions", () => {
  expect(tableBelow("States of making vectors"), HOW).toEqual(tableInWords());
});

it("the states of a document are those of the page, with the same moves", () => {
  const moves = Object.entries(DOCUMENT_MOVES).map(([event, to]) => {
    const each = typeof to === "string" ? [["any", to]] : Object.entries(to);
    return [event, each.map((move) => move.join(" → ")).join(", ")];
  });
  expect(tableBelow("States of a document"), HOW).toEqual(Object.fromEntries(moves));
});
