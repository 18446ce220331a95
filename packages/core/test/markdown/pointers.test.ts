import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { pointsTo } from "../../src/markdown/pointers.ts";

describe("a fragment points to other text of its document", () => {
  it.each([
    "- [Set up a proxy](#set-up-a-proxy)",
    "4. [Set up a proxy](#set-up-a-proxy)",
    "> [Set up a proxy](#set-up-a-proxy).",
    "- If no, see [Set up a proxy](#set-up-a-proxy).",
    "| [Set up](#set-up) | [Remove](#remove) |",
    "- [Set up **the** `proxy`](#set-up)",
    "- [Set up](#set-up)\n- [Remove](#remove)",
  ])("if most of its letters are of links to headings of the same page: %j", (markdown) => {
    expect(pointsTo(markdown)).toBe("document");
  });

  it.each([
    "[proxy]: https://example.com/proxy",
    "  [the proxy]: /proxy 'All about it'",
    "[`proxy`]: https://example.com/proxy\n[settings]: /settings/\n> [more]: <#more> (More)",
  ])("if it defines links, which the page does not show: %j", (markdown) => {
    expect(pointsTo(markdown)).toBe("document");
  });
});

describe("a fragment points to other text of its passage", () => {
  it.each([
    "![The settings of the proxy](settings.png)",
    "1. ![One](1.png)\n   ![Two](2.png)",
    "[![The settings](small.png)](large.png)",
    ':::image type="content" source="settings.png" alt-text="The settings of the proxy.":::',
    '   :::image type="content" source="a.png" alt-text="A.":::  ',
  ])("if it is images alone: %j", (markdown) => {
    expect(pointsTo(markdown)).toBe("passage");
  });
});

describe("a fragment says something itself", () => {
  it.each([
    "Set up a proxy.",
    "",
    "- [Set up a proxy](proxy.md)",
    "- [Set up a proxy](proxy.md#set-up)",
    "Open the settings, then enter its address as in [the picture](#picture).",
    "![The settings](settings.png) Open the settings.",
    "[^1]: A footnote, which the page shows.",
    "[^1]: Footnote",
    "[Note]: this is a sentence",
    "[1]: Smith (2019). The Proxy Book, port 8080.",
    '[Note]: Restart "twice" after the update.',
    `[Words](#words) ${"[".repeat(32)}`,
    "[proxy]: https://example.com/proxy\nand a sentence",
    "See [the proxy][proxy].",
    ":::tip Set up a proxy first",
    ":::image",
    "`[Set up a proxy](#set-up-a-proxy)`",
    "\\[Set up a proxy](#set-up-a-proxy)",
    "[Words of a long text](#a) ".repeat(90),
  ])("if none of that holds: %j", (markdown) => {
    expect(pointsTo(markdown)).toBeUndefined();
  });

  it("if it shows as many other letters as those of links to its own page", () => {
    expect(pointsTo("abcd [efgh](#i)")).toBeUndefined();
    expect(pointsTo("abc [efgh](#i)")).toBe("document");
  });
});

it("points elsewhere if and only if more letters are of links to its own page than not", () => {
  const words = fc.array(fc.constantFrom("a", "bc", "def", "ä", "7", "*gh*", "`ij`", "&amp;"), { maxLength: 6 });
  const letters = (texts: readonly string[]): number =>
    (
      texts
        .join("")
        .replaceAll("&amp;", "")
        .match(/[\p{L}\p{N}]/gu) ?? []
    ).length;
  fc.assert(
    fc.property(words, words, words, (linked, before, after) => {
      const others = [...before, ...after];
      const wanted = letters(linked) > letters(others) ? "document" : undefined;
      expect(pointsTo(`- ${before.join(" ")} [${linked.join(" ")}](#x) ${after.join(" ")}`)).toBe(wanted);
    }),
    { numRuns: lawRuns(500) },
  );
});
