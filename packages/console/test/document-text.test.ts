import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Piece, piecesOf } from "../src/page/parts/text-pieces.ts";
import { onStage } from "./support/on-stage.ts";

/** The text of a piece, with `[` and `]` around marks. */
function shown(piece: Piece): string {
  if (piece.kind === "partly")
    return piece.segments.map(({ text, mark }) => (mark === undefined ? text : `[${text}]`)).join("");
  const text = piece.lines.map((line) => line.text).join("\n");
  return piece.kind === "marked" ? `[${text}]` : text;
}

describe("a text with marks", () => {
  it("has each mark whole: of lines, of sentences in one long line, and of both", () => {
    const lines = ["One.", "Two. Three. Four.", "Five.", "Six.", "Seven."];
    const marks = [
      { text: "Four.", start: 2, stop: 2 },
      { text: "Two.", start: 2, stop: 2 },
      { text: "Five.\nSix.", start: 3, stop: 4 },
    ];
    expect(piecesOf(lines, marks).map(shown)).toEqual(["One.", "[Two.] Three. [Four.]", "[Five.\nSix.]", "Seven."]);
    const [, partly] = piecesOf(lines, marks);
    expect(partly).toMatchObject({ number: 2, segments: [{ text: "" }, { mark: 1 }, {}, { mark: 0 }, {}] });
  });

  it("is the text itself, whatever marks there are", () => {
    const line = fc.integer({ min: 1, max: 300 });
    const mark = fc.record({ text: fc.constantFrom("a", "b\na", "x", "aa"), start: line, stop: line });
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "aa", ""), { maxLength: 300 }), fc.array(mark), (lines, marks) => {
        const ordered = marks.filter(({ start, stop }) => start <= stop);
        const text = piecesOf(lines, ordered).map(shown).join("\n");
        expect(text.replaceAll(/[[\]]/g, "")).toBe(lines.join("\n"));
      }),
    );
  });
});

onStage("a document of 20,000 lines", (stage) => {
  it("is in the page as a whole, with its marks, scrolled to the best one", async () => {
    const body = Array.from({ length: 20_000 }, (_, i) =>
      i === 14_999
        ? "\nUmbrellas are repaired in Vienna.\nUmbrellas cost nothing there.\n"
        : i % 50 === 49
          ? ""
          : `Line of no interest ${i}.`,
    ).join("\n");
    stage.shop.write({ title: "Umbrellas", body }, undefined);
    const page = await stage.enter("ask?bot=shop&q=umbrellas repaired Vienna");
    const region = page.getByRole("region", { name: "Document", exact: true });
    const mark = region.locator("mark");
    await mark.waitFor();
    expect(await mark.allTextContents()).toEqual(["Umbrellas are repaired in Vienna.\nUmbrellas cost nothing there."]);
    const top = () => mark.evaluate((node) => node.getBoundingClientRect().top);
    await expect.poll(top).toBeGreaterThan(0);
    await expect.poll(top).toBeLessThan(800);
    // Lines near the mark have their numbers, and those far away have no element of their own.
    await region.locator('[data-line="15000"]').waitFor();
    expect(await top()).toBeLessThan(800);
    expect(await region.locator("[data-line]").count()).toBeLessThan(1000);
    expect(await region.getByText("Line of no interest 0.").count()).toBe(1);
    const box = region.locator(".document-text");
    expect((await box.textContent())?.length).toBeGreaterThan(19_000 * 22);
    await box.evaluate((node) => node.scrollTo(0, 0));
    await region.locator('[data-line="1"]').waitFor();
    await box.evaluate((node) => node.scrollTo(0, node.scrollHeight));
    await region.locator('[data-line="20003"]').waitFor();
  });
});
