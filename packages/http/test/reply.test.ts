import { expect, it } from "vitest";
import { arrayReply } from "../src/reply.ts";
import { searchResult } from "./support/fake-engine.ts";

const sliced = (rows: readonly unknown[]): string[] =>
  [...arrayReply(200, { head: "[", rows, tail: "]" }).slices].map(String);

it("an answer with long rows is made in short slices, and says what it says at once", () => {
  const rows = (characters: number) => [
    searchResult({ content: [{ md: "é\n😀".repeat(characters / 4) }] }),
    searchResult({ content: Array.from({ length: characters / 40 }, (_, i) => ({ md: `block ${i}` })) }),
    searchResult(),
  ];
  const [once, twice] = [sliced(rows(1_000_000)), sliced(rows(2_000_000))];
  expect(once.join("")).toBe(JSON.stringify(rows(1_000_000)));
  for (const slice of twice) expect(slice.length).toBeLessThanOrEqual(400_000);
  expect(twice.length).toBeGreaterThanOrEqual(1.9 * once.length);
});

it("a short answer is one slice", () => {
  expect(sliced([searchResult(), searchResult()])).toEqual([JSON.stringify([searchResult(), searchResult()])]);
  expect(sliced([])).toEqual(["[]"]);
});
