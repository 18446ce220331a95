import { expect, it, onTestFinished, vi } from "vitest";
import { GrowingUint32 } from "../../src/lexical/growing-array.ts";
import { LexicalIndex } from "../../src/lexical/lexical-index.ts";

const field = (text: string) => [{ terms: text.split(" "), weight: 1 }];
const WORDS = ["pear", "plum", "fig", "harbour"];

function scores(index: LexicalIndex): number[][] {
  return WORDS.map((word) => {
    const query = index.weigh([word]);
    return Array.from({ length: index.nextOrdinal }, (_, ordinal) => index.scoreOf(query, ordinal)).filter(
      (n) => n > 0,
    );
  });
}

it("leaves nothing to the next passage of one that there was no memory for", () => {
  const expected = new LexicalIndex();
  for (const text of ["pear", "harbour"]) expected.add(field(text));
  const push = GrowingUint32.prototype.push;
  onTestFinished(() => void vi.restoreAllMocks());
  let failures = 0;
  for (let failing = 1; failing < 20; failing++) {
    const index = new LexicalIndex();
    index.add(field("pear"));
    let pushes = 0;
    const spy = vi.spyOn(GrowingUint32.prototype, "push").mockImplementation(function (this: GrowingUint32, value) {
      if (++pushes === failing) throw new RangeError("Array buffer allocation failed");
      push.call(this, value);
    });
    let hasFailed = false;
    try {
      index.stage(field("fig plum pear plum"));
    } catch {
      hasFailed = true;
    }
    spy.mockRestore();
    if (!hasFailed) break;
    failures++;
    index.add(field("harbour"));
    expect(index.passageCount).toBe(2);
    expect(scores(index)).toEqual(scores(expected));
    expect(index.goneCount).toBe(1);
  }
  expect(failures).toBeGreaterThan(6);
});
