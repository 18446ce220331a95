import {
  attribute,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  nodesIn,
  oneLine,
  textIn,
} from "../tree.ts";
import { isAboveLine, isAroundLine, isBeforeLinks, leadsOn } from "./around-words.ts";
import { isHeading, leavesOf } from "./edges.ts";
import { isMostlyLinks, type Measure, measureOf, measuresOf } from "./measures.ts";

const LINE_CHARACTERS_MAX = 300;
const CRUMBS_CHARACTERS_MAX = 200;

interface Line {
  readonly leaf: HtmlElement;
  readonly text: string;
  readonly measure: Measure;
}

/**
 * Lines right above and right below the text that are none of it: breadcrumbs, dates, votes, tags, links to other articles. In the midst
 * of it the same words are content. Empty where nothing else is there.
 */
export function aroundLinesOf(content: HtmlParent): Set<HtmlNode> {
  const measures = measuresOf(content, new Set());
  const lines = leavesOf(content).map((leaf): Line => {
    const measure = measureOf(leaf, measures);
    return { leaf, measure, text: measure.text > LINE_CHARACTERS_MAX ? "" : oneLine(textIn(leaf)) };
  });
  const start = startOf(lines);
  const end = endOf(lines, start.next);
  const isAll = start.next >= end;
  const around = isAll ? [] : [...start.dropped, ...lines.slice(end)].map(({ leaf }) => leaf);
  return new Set<HtmlNode>([...around, ...linksAround(content, lines[start.next]?.leaf)]);
}

/** Up to the first line of the text; a heading of the page among them stays. */
function startOf(lines: readonly Line[]): { readonly dropped: readonly Line[]; readonly next: number } {
  const dropped: Line[] = [];
  const top = lines.findIndex(({ leaf }) => leaf.tagName === "h1");
  let at = 0;
  for (let line = lines[at]; line !== undefined; line = lines[++at]) {
    if (at === top) continue;
    const isAbove = isAround(line) || isAboveLine(line.text) || (at < top && isCrumb(line, lines[at - 1]));
    if (!isAbove) break;
    dropped.push(line);
  }
  return { dropped, next: top >= 0 && at > top && at >= lines.length ? top : at };
}

/** Where the text ends. */
function endOf(lines: readonly Line[], start: number): number {
  let end = lines.length;
  for (;;) {
    let before = end;
    const linked = (line: Line | undefined): boolean => line !== undefined && isLinks(line);
    while (before > start && linked(lines[before - 1])) before--;
    const heading = lines[before - 1];
    if (before > start && heading !== undefined && leadsOn(heading.text)) end = before - 1;
    else {
      const last = lines[end - 1];
      if (end <= start || last === undefined || !isAround(last)) return end;
      end--;
    }
  }
}

function isLinks({ leaf, measure }: Line): boolean {
  return !isHeading(leaf) && isMostlyLinks(measure, 0.8);
}

function isAround({ leaf, text, measure }: Line): boolean {
  if (text === "" || leaf.tagName === "pre") return false;
  if (isAroundLine(text)) return true;
  return measure.links > 0 && isBeforeLinks(besidesLinks(leaf));
}

/** A way from the first page of the site to this one; its last step may be no link. */
function isCrumb({ leaf, text, measure }: Line, before: Line | undefined): boolean {
  if (isHeading(leaf) || text === "" || text.length > CRUMBS_CHARACTERS_MAX) return false;
  if (isMostlyLinks(measure, 0.5)) return true;
  const isLast = leaf.tagName === "li" && leaf.parentNode === before?.leaf.parentNode;
  return isLast && text.length <= 80 && before !== undefined && isMostlyLinks(before.measure, 0.5);
}

function besidesLinks(leaf: HtmlElement): string {
  return oneLine(textIn(leaf, ({ tagName }) => tagName !== "a"));
}

/** Links that say by themselves what they are: to the content, to the source of a heading, to the site by its picture. */
function linksAround(content: HtmlParent, first: HtmlElement | undefined): HtmlNode[] {
  const found: HtmlNode[] = [];
  let isAbove = true;
  const lengths = new Map<HtmlElement, number>();
  for (const node of nodesIn(content)) {
    if (node === first || (isElement(node) && isHeading(node))) isAbove = false;
    if (!isElement(node) || node.tagName !== "a") continue;
    const text = oneLine(textIn(node).slice(0, 500));
    if (isAbove && text === "" && hasPicture(node)) found.push(node);
    if (SKIPS.test(text) && (attribute(node, "href") ?? "").startsWith("#")) found.push(node);
    const heading = OF_HEADING.test(text) ? headingAround(node, lengths) : undefined;
    if (heading !== undefined) found.push(bracketed(node, heading));
  }
  return found;
}
const SKIPS =
  /^skip to (?:the )?(?:main |page )?(?:content|navigation|search|footer)$|^(?:zum inhalt|aller au contenu|saltar al contenido|ir al contenido)\b.{0,20}$/i;
const OF_HEADING =
  /^\[?(?:src|source|edit|edit source|view source|permalink|link|bearbeiten|modifier|editar|modifica)\]?$/i;

function hasPicture(link: HtmlElement): boolean {
  for (const { tagName } of elementsBelow(link)) if (tagName === "img") return true;
  return false;
}

/** The heading that a link is a part of, and not all. */
function headingAround(link: HtmlElement, lengths: Map<HtmlElement, number>): HtmlElement | undefined {
  for (let above = link.parentNode; isElement(above); above = above.parentNode) {
    if (!isHeading(above)) continue;
    const length = lengths.get(above) ?? oneLine(textIn(above)).length;
    lengths.set(above, length);
    return length > oneLine(textIn(link)).length + 4 ? above : undefined;
  }
  return undefined;
}

/** What holds the link and its brackets alone. */
function bracketed(link: HtmlElement, heading: HtmlElement): HtmlElement {
  let whole = link;
  for (let above = link.parentNode; isElement(above) && above !== heading; above = above.parentNode) {
    if (above.childNodes.length > 3 || !OF_HEADING.test(oneLine(textIn(above).slice(0, 500)))) break;
    whole = above;
  }
  return whole;
}
