import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertDocx } from "../../src/convert/docx.ts";
import { paragraph, textDocumentOf } from "../support/office-files.ts";

const LONG = 15_000;
const SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

interface Parts {
  readonly styles?: string;
  /** What stands in `<w:numbering>`. */
  readonly numbering?: string;
  /** The part that has it, within `word/`. */
  readonly place?: string;
  /** Whether the document says where it is. */
  readonly isRelated?: boolean;
}

async function markdownOf(
  body: string,
  { styles = "", numbering = "", place = "numbering.xml", isRelated = true }: Parts,
): Promise<string | undefined> {
  const relation = (id: number, name: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${name}" Target="${target}"/>`;
  const related = relation(1, "styles", "styles.xml") + (isRelated ? relation(2, "numbering", place) : "");
  const parts = {
    [`word/${place}`]: `<w:numbering ${SPACE}>${numbering}</w:numbering>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related}</Relationships>`,
  };
  const bytes = textDocumentOf(body, { styles, parts });
  const { page } = await convertDocx({ bytes, name: "guide.docx", kind: "docx" });
  return page?.content[0]?.md.trimEnd();
}

/** A paragraph of a list. */
function listed(text: string, list: number | string, level = 0): string {
  return paragraph(text, { properties: `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>` });
}

function list(id: number | string, definition: number | string): string {
  return `<w:num w:numId="${id}"><w:abstractNumId w:val="${definition}"/></w:num>`;
}

/** How a list is defined: by its levels' formats, or by a style. */
function definition(id: number | string, by: readonly string[] | string): string {
  const levels = (formats: readonly string[]): string =>
    formats.map((format, i) => `<w:lvl w:ilvl="${i}"><w:numFmt w:val="${format}"/></w:lvl>`).join("");
  const inside = typeof by === "string" ? `<w:numStyleLink w:val="${by}"/>` : levels(by);
  return `<w:abstractNum w:abstractNumId="${id}">${inside}</w:abstractNum>`;
}

/** A style of lists, which names one. */
function listStyle(id: string, of: number | string): string {
  return `<w:style w:type="numbering" w:styleId="${id}"><w:name w:val="${id}"/><w:pPr><w:numPr><w:numId w:val="${of}"/></w:numPr></w:pPr></w:style>`;
}

function style(id: string, name: string, basedOn?: string): string {
  const base = basedOn === undefined ? "" : `<w:basedOn w:val="${basedOn}"/>`;
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${base}</w:style>`;
}

describe("styles that are based on each other", () => {
  it("make a heading of what is based on one, through any number of them", async () => {
    const chained = Array.from({ length: LONG }, (_, i) => style(`S${i + 1}`, `Own ${i + 1}`, `S${i}`));
    const styles = style("S0", "heading 2") + chained.join("");
    const trees = paragraph("Trees", { style: `S${LONG}` });
    expect(await markdownOf(trees + paragraph("Text.") + trees, { styles })).toBe("## Trees\n\nText.\n\n## Trees");
  });

  it("are text where they lead in a circle", async () => {
    const styles = style("A", "Own A", "B") + style("B", "Own B", "A");
    expect(await markdownOf(paragraph("One", { style: "A" }) + paragraph("Two", { style: "B" }), { styles })).toBe(
      "One\n\nTwo",
    );
  });
});

describe("a list", () => {
  it("is read by its levels", async () => {
    const numbering = definition(7, ["bullet", "decimal"]) + definition(8, ["decimal"]) + list(1, 7) + list(2, 8);
    const body = listed("One", 1) + listed("In one", 1, 1) + paragraph("Between.") + listed("First", 2);
    expect(await markdownOf(body, { numbering })).toBe("- One\n  1. In one\n\nBetween.\n\n1. First");
  });

  it("is also told by the style of its paragraphs, which its level names itself", async () => {
    const inside = '<w:numFmt w:val="bullet"/><w:pStyle w:val="Points"/><w:pPr><w:pStyle w:val="Other"/></w:pPr>';
    const numbering = `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0">${inside}</w:lvl></w:abstractNum>`;
    const body = paragraph("One", { style: "Points" }) + paragraph("Two", { style: "Other" });
    const styles = style("Points", "Points") + style("Other", "Other");
    expect(await markdownOf(body, { numbering: numbering + list(1, 1), styles })).toBe("- One\n\nTwo");
  });

  it("looks as older programs show it where newer ones have a format of their own", async () => {
    const formats =
      '<mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001"/></mc:Choice><mc:Fallback><w:numFmt w:val="bullet"/></mc:Fallback></mc:AlternateContent>';
    const numbering = `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0">${formats}</w:lvl></w:abstractNum>`;
    expect(await markdownOf(listed("One", 1), { numbering: numbering + list(1, 1) })).toBe("- One");
  });

  it("is read whatever signs its names and its definitions' names have", async () => {
    // As XML the second says of itself what the first one is.
    const [one, other] = ["&quot;&lt;w:x/&gt;&amp;amp;", "&quot;&lt;w:x/&gt;&amp;"];
    const numbering =
      definition(one, ["bullet"]) + definition(other, ["decimal"]) + list(one, one) + list(other, other);
    const body = listed("One", one) + paragraph("Between.") + listed("First", other);
    expect(await markdownOf(body, { numbering })).toBe("- One\n\nBetween.\n\n1. First");
  });

  it.each([
    ["in its usual place", {}],
    ["in its usual place, of which the document does not tell", { isRelated: false }],
    ["where the document says that it is", { place: "own/lists.xml" }],
  ])("is read through any number of styles that lead to other lists, %s", async (_, where) => {
    const steps = Array.from({ length: LONG }, (_, i) => i);
    const numbering = [
      ...steps.map((i) => definition(i, `L${i + 1}`)),
      definition(LONG, ["bullet"]),
      ...steps.map((i) => list(i, i)),
      list(LONG, LONG),
    ].join("");
    const styles = steps.map((i) => listStyle(`L${i + 1}`, i + 1)).join("");
    expect(await markdownOf(listed("One", 0) + listed("Two", LONG - 1), { styles, numbering, ...where })).toBe(
      "- One\n- Two",
    );
  });

  it("is read whatever leads where: to itself, to nothing, or to the levels of another", async () => {
    const anyStep = fc.oneof(fc.constant("levels"), fc.constant("nothing"), fc.nat({ max: 5 }));
    const law = fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 5 }), async (steps) => {
      const numbering = steps
        .map((step, i) => definition(i, step === "levels" ? ["bullet"] : `L${step}`) + list(i, i))
        .join("");
      const styles = steps.map((_, i) => listStyle(`L${i}`, i)).join("");
      const endOf = (at: number, seen: readonly number[] = []): boolean => {
        const step = steps[at];
        if (step === "levels") return true;
        return typeof step === "number" && !seen.includes(step) && endOf(step, [...seen, step]);
      };
      for (const [i] of steps.entries()) {
        expect(await markdownOf(listed("One", i), { styles, numbering })).toBe(endOf(i, [i]) ? "- One" : "One");
      }
    });
    await fc.assert(law, { numRuns: 60 });
  });
});
