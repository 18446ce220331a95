import {
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isText,
  markAround,
  nodesIn,
  oneLine,
  textIn,
} from "../tree.ts";
import { isMostlyLinks, type Measure, type Measures, measureOf, prose } from "./measures.ts";
import { WholeLists } from "./whole-lists.ts";

const LEAVES = new Set(
  "p li td th dt dd div h1 h2 h3 h4 h5 h6 pre address center caption blockquote section article figcaption".split(" "),
);
/** Text outside links with at least this length was written for this page. */
const PROSE_MIN = 60;
const RIGHTS =
  /^\W*(?:©|copyright\b|\(c\)|all rights reserved|distributed under|powered by|last (?:updated|modified|change)|(?:this (?:page|document|manual|file) was )?(?:generated|created|updated|built) (?:by|on|with|using)\b)/i;

/**
 * Finds the edges of a page that does not mark its content: the lines of links above its first text and, if `isWhole`, those below the last one, with copyright
 * notices. No list and no table is left in part. Empty if the page consists of links only.
 */
export function edgesOf(body: HtmlParent, measures: Measures, isWhole: boolean): Set<HtmlNode> {
  const leaves = leavesOf(body);
  const isContent = leaves.map((leaf) => holdsProse(leaf, measureOf(leaf, measures)));
  const first = isContent.indexOf(true);
  if (first < 0) return new Set();
  // Below a lone heading there may be only links.
  const last = leaves.findLastIndex((leaf, at) => isContent[at] && !isHeading(leaf));
  const edges = leaves.filter((leaf, at) => {
    const isEdge = at < first || (isWhole && last >= 0 && at > last);
    if (!isEdge || isHeading(leaf)) return false;
    return (isMostlyLinks(measureOf(leaf, measures)) && !(at > last && isWithinItem(leaf))) || tellsRights(leaf);
  });
  return new Set(new WholeLists(body).wholly(edges, leaves, measures));
}

function holdsProse(leaf: HtmlElement, measure: Measure): boolean {
  if (/^h[12]$/.test(leaf.tagName) && !isMostlyLinks(measure)) return true;
  return leaf.tagName === "pre" || (prose(measure) >= PROSE_MIN && !isMostlyLinks(measure) && !tellsRights(leaf));
}

/** A list within a list belongs to its item, and a definition to its term. */
function isWithinItem(leaf: HtmlElement): boolean {
  if (leaf.tagName === "dd") return true;
  for (let above = leaf.parentNode; isElement(above); above = above.parentNode)
    if (/^(?:li|dd)$/.test(above.tagName)) return true;
  return false;
}

export function isHeading({ tagName }: HtmlElement): boolean {
  return /^h[1-6]$/.test(tagName);
}

/** True for a copyright notice, or a note on how the page was made. */
export function tellsRights(leaf: HtmlElement): boolean {
  return RIGHTS.test(textIn(leaf).trim().slice(0, 80));
}

/** Returns elements that hold text themselves and no other such element, in page order. */
export function leavesOf(body: HtmlParent): HtmlElement[] {
  const found = new Set<HtmlElement>();
  const holders = new Set<HtmlNode>();
  for (const node of nodesIn(body)) {
    if (isElement(node) || !("parentNode" in node) || !isText(node) || oneLine(node.value) === "") continue;
    const leaf = leafAround(node);
    if (leaf === undefined || found.has(leaf)) continue;
    found.add(leaf);
    markAround(leaf, holders);
  }
  return [...found].filter((leaf) => !holders.has(leaf));
}

function leafAround(node: HtmlNode): HtmlElement | undefined {
  for (let above = node.parentNode; isElement(above); above = above.parentNode) {
    if (LEAVES.has(above.tagName)) return above;
  }
  return undefined;
}
