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

/** A second container of the same kind that has this share of what stands in the first is no teaser. */
const PEER_SHARE_MIN = 0.25;

/** What is known of a page whose content was found. */
export interface Found {
  /** The container that most of the text stands in. */
  readonly main: HtmlElement;
  /** What says by its kind that it is the content and holds that, or is that; the outermost. */
  readonly outer: HtmlElement | undefined;
  /** Other containers of the same kind. */
  readonly peers: readonly HtmlElement[];
  /** Headers that the page begins with: no h1 is in them. */
  readonly heads: ReadonlySet<HtmlNode>;
}

/**
 * The content with what belongs to it and stands beside its container: paragraphs in an element that says by its kind that it holds the
 * content, other containers of the same kind, the heading of the page with what it begins with, and the header that the page begins with.
 * All else is taken out of the tree.
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

/** Parts of `outer` beside `main` in which sentences stand, with the headings right above them. */
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
        // What follows a part is of the same heading.
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

/** Teasers of other pages have links as their headings, and comments have none. */
function isPeer(peer: HtmlElement, main: HtmlElement, { leaves, measures }: Written): boolean {
  const measure = measureOf(peer, measures);
  if (!leaves.isIn(peer) || isMostlyLinks(measure)) return false;
  if (prose(measure) >= PEER_SHARE_MIN * prose(measureOf(main, measures))) return true;
  for (const below of elementsBelow(peer))
    if (isHeading(below))
      return !isMostlyLinks(measureOf(below, measures)) && !leadsAway(below) && !isWithin(below, "a");
  return false;
}

/**
 * What goes before the content and has the heading of the page, where that is not in the content; and the sentences between the two.
 */
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

/** A bar with things to press, or a heading that is a link, bears the name of the site or of the book. */
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

/** Takes out all that is none of these, in none of them, and holds none of them. */
function keepOnly(root: HtmlParent, kept: ReadonlySet<HtmlNode>): void {
  const around = new Set<HtmlNode>();
  for (const node of kept) if (isElement(node)) markAround(node, around);
  const ahead: HtmlParent[] = [root];
  for (let holder = ahead.pop(); holder !== undefined; holder = ahead.pop()) {
    holder.childNodes = holder.childNodes.filter((child) => kept.has(child) || around.has(child));
    for (const child of holder.childNodes) if (isElement(child) && !kept.has(child)) ahead.push(child);
  }
}
