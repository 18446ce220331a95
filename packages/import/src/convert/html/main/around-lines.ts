import {
  attribute,
  classesOf,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  nodesIn,
  oneLine,
  textIn,
} from "../tree.ts";
import { isAboveLine, isAroundLine, isBeforeLinks, leadsOn, tellsOfContents } from "./around-words.ts";
import { isHeading, leavesOf } from "./edges.ts";
import { isMostlyLinks, type Measure, measureOf, measuresOf } from "./measures.ts";
import { WholeLists } from "./whole-lists.ts";

const LINE_CHARACTERS_MAX = 300;
const CRUMBS_CHARACTERS_MAX = 200;

interface Line {
  readonly leaf: HtmlElement;
  readonly text: string;
  readonly measure: Measure;
  /** The outermost enclosing list. */
  readonly list: HtmlElement | undefined;
  /** It is in an element that is never dropped. */
  readonly stays: boolean;
}

/**
 * Finds lines directly above and below the text that are no part of it: breadcrumbs, dates, votes, tags, links to other articles. Within the text the same
 * words are content. They are also content in a table, and in a list with other items. Empty if the page has nothing else.
 */
export function aroundLinesOf(content: HtmlParent): Set<HtmlNode> {
  const measures = measuresOf(content, new Set());
  const wholes = new WholeLists(content);
  const leaves = leavesOf(content);
  const saying = wholes.saying(leaves, measures);
  const lines = leaves.map((leaf): Line => {
    const measure = measureOf(leaf, measures);
    const text = measure.text > LINE_CHARACTERS_MAX ? "" : oneLine(textIn(leaf));
    const { list, table } = wholes.around(leaf);
    const stays = table !== undefined || (list !== undefined && saying.has(list));
    return { leaf, measure, text, list, stays };
  });
  const start = startOf(lines);
  const end = endOf(lines, start.next);
  const isAll = start.next >= end;
  const around = isAll ? [] : [...start.dropped, ...lines.slice(end)].map(({ leaf }) => leaf);
  return new Set<HtmlNode>([...around, ...linksAround(content, lines[start.next]?.leaf)]);
}

/** Drops lines up to the first line of the text. A page heading among them stays. */
function startOf(lines: readonly Line[]): { readonly dropped: readonly Line[]; readonly next: number } {
  const dropped: Line[] = [];
  const top = lines.findIndex(({ leaf }) => leaf.tagName === "h1");
  let at = 0;
  for (let line = lines[at]; line !== undefined; line = lines[++at]) {
    if (at === top) continue;
    const isAbove =
      ((isAround(line) || (!line.stays && isAboveLine(line.text))) && !isHeadingOf(line, lines[at + 1])) ||
      (at < top && isCrumb(line, lines[at - 1]));
    if (!isAbove) break;
    dropped.push(line);
  }
  const next = top >= 0 && at > top && at >= lines.length ? top : at;
  const cut = listAt(lines, next);
  if (cut === undefined) return { dropped, next };
  return { dropped: dropped.filter(({ list }) => list !== cut), next: lines.findIndex(({ list }) => list === cut) };
}

/** The list that a boundary between lines would split. */
function listAt(lines: readonly Line[], at: number): HtmlElement | undefined {
  const list = lines[at]?.list;
  return lines[at - 1]?.list === list ? list : undefined;
}

/** True if the line is the heading of the text directly below it, and not of a dropped table of contents. */
function isHeadingOf({ leaf, text }: Line, below: Line | undefined): boolean {
  if (!isHeading(leaf) || tellsOfContents(text) || below === undefined) return false;
  if (isHeading(below.leaf)) return below.leaf.tagName > leaf.tagName;
  return !isAround(below);
}

/** Finds the end of the text. */
function endOf(lines: readonly Line[], start: number): number {
  let end = lines.length;
  for (let before = end; ; end = before) {
    before = lineBefore(lines, start, end);
    if (before === end) break;
  }
  const cut = listAt(lines, end);
  if (cut !== undefined) end = pastList(lines, end, cut);
  const [above, below] = [lines[end - 1], lines[end]];
  if (end <= start || above === undefined || below === undefined) return end;
  // Lines that the text announces, and a list that is all below its heading, belong to the text.
  const isLedTo = /[:：]$/.test(textIn(above.leaf).trimEnd()) || (isHeading(above.leaf) && below.list !== undefined);
  if (!isLedTo || isHeading(below.leaf)) return end;
  return below.list === undefined ? end + 1 : pastList(lines, end, below.list);
}

/** Returns the new end if the last line, or the links below a last heading, are no part of the text; else `end`. */
function lineBefore(lines: readonly Line[], start: number, end: number): number {
  let before = end;
  const linked = (line: Line | undefined): boolean => line !== undefined && isLinks(line);
  while (before > start && linked(lines[before - 1])) before--;
  const heading = lines[before - 1];
  if (before > start && heading !== undefined && !heading.stays && leadsOn(heading.text)) return before - 1;
  const last = lines[end - 1];
  return end <= start || last === undefined || !isAround(last) ? end : end - 1;
}

function pastList(lines: readonly Line[], from: number, list: HtmlElement): number {
  let past = from;
  while (lines[past]?.list === list) past++;
  return past;
}

function isLinks({ leaf, measure, stays }: Line): boolean {
  return !stays && !isHeading(leaf) && isMostlyLinks(measure, 0.8);
}

function isAround({ leaf, text, measure, stays }: Line): boolean {
  if (text === "" || stays || QUOTING.has(leaf.tagName) || isCode(leaf)) return false;
  if (isAroundLine(text)) return true;
  return measure.links > 0 && isBeforeLinks(besidesLinks(leaf));
}

/** Content of these elements is shown, not said. */
const QUOTING = new Set(["pre", "blockquote", "figcaption"]);

function isCode(leaf: HtmlElement): boolean {
  return oneLine(textIn(leaf, ({ tagName }) => !/^(?:code|kbd|samp)$/.test(tagName))) === "";
}

/** A breadcrumb: the path from the site's first page to this one. Its last step may be no link. */
function isCrumb({ leaf, text, measure, stays }: Line, before: Line | undefined): boolean {
  if (stays || isHeading(leaf) || text === "" || text.length > CRUMBS_CHARACTERS_MAX) return false;
  if (isMostlyLinks(measure, 0.5)) return true;
  const isLast = leaf.tagName === "li" && leaf.parentNode === before?.leaf.parentNode;
  return isLast && text.length <= 80 && before !== undefined && isMostlyLinks(before.measure, 0.5);
}

function besidesLinks(leaf: HtmlElement): string {
  return oneLine(textIn(leaf, ({ tagName }) => tagName !== "a"));
}

/** Finds links that reveal themselves: skip links, links to the source of a heading, a logo link to the site. */
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
    const whole = heading === undefined ? undefined : bracketed(node, heading);
    if (whole !== undefined && isMarked(node, whole)) found.push(whole);
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

/** The heading that the link is a part of, but not all of. */
function headingAround(link: HtmlElement, lengths: Map<HtmlElement, number>): HtmlElement | undefined {
  for (let above = link.parentNode; isElement(above); above = above.parentNode) {
    if (!isHeading(above)) continue;
    const length = lengths.get(above) ?? oneLine(textIn(above)).length;
    lengths.set(above, length);
    return length > oneLine(textIn(link)).length + 4 ? above : undefined;
  }
  return undefined;
}

/** The element that holds only the link and its brackets. */
function bracketed(link: HtmlElement, heading: HtmlElement): HtmlElement {
  let whole = link;
  for (let above = link.parentNode; isElement(above) && above !== heading; above = above.parentNode) {
    if (above.childNodes.length > 3 || !OF_HEADING.test(oneLine(textIn(above).slice(0, 500)))) break;
    whole = above;
  }
  return whole;
}

/** Such a word may belong to the heading. It is a sign only in brackets, or if it is marked as one. */
function isMarked(link: HtmlElement, whole: HtmlElement): boolean {
  return /^\[/.test(oneLine(textIn(whole).slice(0, 500))) || [link, whole].some((part) => classesOf(part).length > 0);
}
