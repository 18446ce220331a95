import { inlineTokens } from "./inline-text.ts";
import { lineMarks } from "./line-marks.ts";

/** Where the text stands that a fragment only points to: anywhere in its document, or in its own passage. */
export type PointsTo = "document" | "passage";

/** Longer texts say something themselves, and the parser gets no more at once. UTF-16 units. */
const POINTER_UNITS_MAX = 1_024;

/** What a pointer holds. Most fragments have none of it, and need no parser. */
const MAY_POINT = /\]\(#|!\[|\]:|:::image/;

/** Most brackets of a pointer. At each of them the parser may read the rest of the text. */
const BRACKETS_MAX = 32;

/** A link definition: a label, a target and at most a title. The rendered page does not show it. `[^1]:` is a footnote, which it shows. */
const DEFINITION = /^\[[^\]^][^\]]*\]:\s*\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/;

/** An image as a directive, which some generators of docs read. Its alternative text is one of its attributes. */
const IMAGE_DIRECTIVE = /^:::image\s.*:::$/;

const LETTERS_AND_DIGITS = /[\p{L}\p{N}]/gu;

/**
 * Where the text stands that a fragment only points to; undefined if the fragment says something itself.
 *
 *     - [Set up a proxy](#set-up-a-proxy)           "document": most letters are of links to headings of the same page
 *     [proxy]: https://example.com/proxy            "document": definitions of links
 *     ![The settings of the proxy](settings.png)    "passage": images alone
 *     - [Set up a proxy](proxy.md)                  undefined: another page has the text
 *
 * @param markdown a fragment with the reading `text`
 */
export function pointsTo(markdown: string): PointsTo | undefined {
  if (markdown.length > POINTER_UNITS_MAX || !MAY_POINT.test(markdown)) return undefined;
  if (markdown.split("[", BRACKETS_MAX + 2).length > BRACKETS_MAX + 1) return undefined;
  const lines = markdown.split("\n").map((line) => line.slice(lineMarks(line).end).trim());
  if (lines.every((line) => DEFINITION.test(line))) return "document";
  const others = lines.filter((line) => !IMAGE_DIRECTIVE.test(line));
  const { ofOwnPage, images, letters } = linksIn(others.join("\n"));
  if (letters === 0) return images > 0 || others.length < lines.length ? "passage" : undefined;
  return ofOwnPage > letters / 2 ? "document" : undefined;
}

interface Links {
  /** Letters and digits of links to headings of the same page. */
  readonly ofOwnPage: number;
  /** Number of images. */
  readonly images: number;
  /** Letters and digits outside images, those of links among them. */
  readonly letters: number;
}

function linksIn(text: string): Links {
  let [ofOwnPage, images, letters] = [0, 0, 0];
  let isOwnPage = false;
  for (const token of inlineTokens(text, "text")) {
    if (token.type === "link_open") isOwnPage = String(token.attrGet("href")).startsWith("#");
    else if (token.type === "link_close") isOwnPage = false;
    else if (token.type === "image") images++;
    else if (token.type !== "html_inline") {
      const count = token.content.match(LETTERS_AND_DIGITS)?.length ?? 0;
      letters += count;
      if (isOwnPage) ofOwnPage += count;
    }
  }
  return { ofOwnPage, images, letters };
}
