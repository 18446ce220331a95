import {
  elementsBelow,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isWithin,
  markAround,
  oneLine,
  textIn,
} from "../tree.ts";
import { leadsOn } from "./around-words.ts";
import { isHeading } from "./edges.ts";
import { isAsideByKind, isNote } from "./frames.ts";
import { isMostlyLinks, type Measures, measureOf, measuresOf, prose } from "./measures.ts";
import { ProseLeaves } from "./prose-leaves.ts";

/** A second container of the same kind with at least this share of the first one's text is no teaser. */
const PEER_SHARE_MIN = 0.25;

/** Facts of a page whose content was found. */
export interface Found {
  /** The container with most of the text. */
  readonly main: HtmlElement;
  /** The outermost element that claims to be the content by its kind, and is or holds `main`. */
  readonly outer: HtmlElement | undefined;
  /** Other containers of the same kind. */
  readonly peers: readonly HtmlElement[];
  /** Headers at the beginning of the page: no h1 is in them. */
  readonly heads: ReadonlySet<HtmlNode>;
}

/**
 * Returns the content with parts of it outside its container. These parts are:
 * - paragraphs in an element that claims to be the content by its kind
 * - other containers of the same kind
 * - the heading of the page with its beginning, and the header that the page begins with
 * All other nodes are taken out of the tree.
 */
export function contentBeside(body: HtmlParent, { main, outer, peers, heads }: Found): HtmlParent {
  const measures = measuresOf(body, new Set());
  const leaves = new ProseLeaves(body, measures);
  const kept = new Set<HtmlNode>([main]);
  const top = outer ?? main;
  if (top !== main) for (const node of proseBeside(main, top, { leaves, measures })) kept.add(node);
  for (const peer of peers) if (isPeer(peer, top, { leaves, measures })) kept.add(peer);
  for (const node of headingBefore(main, body, leaves)) kept.add(node);
  for (const node of elementsBelow(body)) {
    if (node === main) break;
    if (heads.has(node)) kept.add(node);
  }
  if (kept.size === 1) return main;
  keepOnly(body, kept);
  return body;
}

interface Written {
  readonly leaves: ProseLeaves;
  readonly measures: Measures;
}

/** Returns the parts of `outer` beside `main` that hold sentences, with the headings directly above them. */
function proseBeside(main: HtmlElement, outer: HtmlElement, { leaves, measures }: Written): HtmlNode[] {
  const around = new Set<HtmlNode>();
  markAround(main, around);
  const found: HtmlNode[] = [];
  for (let holder: HtmlElement | undefined = outer; holder !== undefined && holder !== main; ) {
    const children: HtmlElement[] = elementsIn(holder);
    let headings: HtmlElement[] = [];
    for (const child of children) {
      if (isHeading(child)) headings.push(child);
      else {
        const isOf = child !== main && !around.has(child) && isContent(child, { leaves, measures });
        if (isOf && !headings.some(leadsAway)) found.push(...headings, child);
        // Parts that follow belong to the same heading.
        if (!isOf || !headings.some(leadsAway)) headings = [];
      }
    }
    holder = children.find((child) => child === main || around.has(child));
  }
  return found;
}

function isContent(element: HtmlElement, { leaves, measures }: Written): boolean {
  if (!leaves.isIn(element) || isMostlyLinks(measureOf(element, measures))) return false;
  if (isAsideByKind(element) && !isNote(element)) return false;
  for (const below of elementsBelow(element)) if (isHeading(below)) return !leadsAway(below);
  return true;
}

function leadsAway(heading: HtmlElement): boolean {
  return leadsOn(oneLine(textIn(heading).slice(0, 500)));
}

/** Teasers of other pages have links as headings, and comments have none. */
function isPeer(peer: HtmlElement, main: HtmlElement, { leaves, measures }: Written): boolean {
  const measure = measureOf(peer, measures);
  if (!leaves.isIn(peer) || isMostlyLinks(measure)) return false;
  if (prose(measure) >= PEER_SHARE_MIN * prose(measureOf(main, measures))) return true;
  for (const below of elementsBelow(peer))
    if (isHeading(below))
      return !isMostlyLinks(measureOf(below, measures)) && !leadsAway(below) && !isWithin(below, "a");
  return false;
}

/** Returns the elements before the content that hold the page heading, if the content lacks it, and the sentences between the two. */
function headingBefore(main: HtmlElement, body: HtmlParent, leaves: ProseLeaves): HtmlNode[] {
  if (hasHeading(main)) return [];
  let inner: HtmlElement = main;
  for (let above = main.parentNode; above !== null; above = isElement(above) ? above.parentNode : null) {
    const before = above.childNodes.slice(0, above.childNodes.indexOf(inner)).filter(isElement);
    const heads = before.filter((element) => hasHeading(element) && !isBar(element));
    const [first] = heads;
    if (first !== undefined) {
      const between = before.slice(before.indexOf(first) + 1).filter((element) => leaves.isAllOf(element));
      return [...heads, ...between];
    }
    if (above === body || !isElement(above)) return [];
    inner = above;
  }
  return [];
}

/** A bar with controls, or a heading that is a link, carries the name of the site or of the book. */
function isBar(element: HtmlElement): boolean {
  for (const found of [element, ...elementsBelow(element)]) {
    if (PRESSED.has(found.tagName)) return true;
    if (found.tagName === "h1" && elementsIn(found).some(({ tagName }) => tagName === "a")) return true;
  }
  return false;
}
const PRESSED = new Set(["button", "form", "input", "select", "nav"]);

function hasHeading(element: HtmlElement): boolean {
  if (element.tagName === "h1") return textIn(element).trim() !== "";
  for (const { tagName } of elementsBelow(element)) if (tagName === "h1") return true;
  return false;
}

/** Removes all nodes that are not kept, not in a kept node, and hold none. */
function keepOnly(root: HtmlParent, kept: ReadonlySet<HtmlNode>): void {
  const around = new Set<HtmlNode>();
  for (const node of kept) if (isElement(node)) markAround(node, around);
  const ahead: HtmlParent[] = [root];
  for (let holder = ahead.pop(); holder !== undefined; holder = ahead.pop()) {
    holder.childNodes = holder.childNodes.filter((child) => kept.has(child) || around.has(child));
    for (const child of holder.childNodes) if (isElement(child) && !kept.has(child)) ahead.push(child);
  }
}
