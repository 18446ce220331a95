import { describe, expect, it } from "vitest";
import { filesBelow, read } from "../tidy/source-files.ts";

const FOLDER = "docs/decisions/";
const RECORDS = filesBelow(FOLDER, /^\d{4}-\d\d-\d\d-[\w-]+\.md$/);

/** The three forms of a status line. */
const STATUS = /^Status: (?:(holds)\.|(holds in part): \S|(replaced) by \[[^\]]+\]\(([\w-]+\.md)\)\.)/;

interface Head {
  readonly title: string;
  readonly status: string | undefined;
  /** The file of the record that replaces this one. */
  readonly by: string | undefined;
}

/** Title and status of a record: its first line, and the line after the blank one below it. */
function headOf(text: string): Head {
  const [heading = "", , line = ""] = text.split("\n");
  const [, holds, part, replaced, by] = STATUS.exec(line) ?? [];
  return { title: heading.replace(/^# /, ""), status: holds ?? part ?? replaced, by };
}

/** The row that a record has in the index. */
function rowOf(file: string, text: string): string {
  const name = file.slice(FOLDER.length);
  const { title, status } = headOf(text);
  return `| ${name.slice(0, 10)} | [${title}](${name}) | ${status} |`;
}

describe("a record of a decision", () => {
  it.each(RECORDS)("says in its first lines whether it holds: %s", (file) => {
    const { status, by } = headOf(read(file));
    expect(status).toBeDefined();
    if (by !== undefined) expect(RECORDS).toContain(FOLDER + by);
  });

  it("would be caught if it did not", () => {
    const statusOf = (line: string) => headOf(`# Title\n\n${line}\n\nText.`).status;
    const whole = [
      "Status: holds.",
      "Status: holds in part: all but one.",
      "Status: replaced by [it](2026-11-22-graph.md).",
    ];
    expect(whole.map(statusOf)).toEqual(["holds", "holds in part", "replaced"]);
    const broken = ["Text.", "Status: holds", "Status: holds in part.", "Status: replaced.", "Status: unknown."];
    expect(broken.map(statusOf)).toEqual(broken.map(() => undefined));
  });
});

it("the index of decisions has a row for every record, with its date, title and status, in order", () => {
  const rows = read(`${FOLDER}README.md`)
    .split("\n")
    .filter((line) => /^\| \d/.test(line));
  expect(RECORDS.length).toBeGreaterThan(40);
  expect([...rows].sort()).toEqual(RECORDS.map((file) => rowOf(file, read(file))).sort());
  const dates = rows.map((row) => row.slice(2, 12));
  expect(dates).toEqual([...dates].sort());
});
