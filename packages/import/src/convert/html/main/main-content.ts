import { attribute, elementsBelow, type HtmlElement, type HtmlNode, type HtmlParent, isElement } from "../tree.ts";
import { aroundLinesOf } from "./around-lines.ts";
import { contentBeside, type Found } from "./beside-main.ts";
import { boilerplateOn, removeAll, unseenOn } from "./boilerplate.ts";
import { edgesOf } from "./edges.ts";
import { framesOn } from "./frames.ts";
import { type Measures, measureOf, measuresOf, prose } from "./measures.ts";
import { contentRank } from "./names.ts";

/** The content has at least this share of the page's text. A smaller result was not the content. */
const SHARE_MIN = 0.5;

/**
 * Finds the content of a page. Surroundings are taken out of the tree; likely surroundings stay if little else would be left. Elements that claim to be the
 * content are believed if most of the text is in them. Without such an element the content is the whole page, without its edges of links.
 */
export function mainContent(body: HtmlParent): HtmlParent {
  const { frame, heads } = frameOf(body);
  let dropped: ReadonlySet<HtmlNode> = new Set([...frame, ...boilerplateOn(body, frame)]);
  const all = measureOf(body, measuresOf(body, frame));
  let measures = measuresOf(body, dropped);
  const kept = measureOf(body, measures);
  if (prose(kept) < SHARE_MIN * prose(all) || (kept.text === 0 && all.text > 0)) {
    dropped = frame;
    measures = measuresOf(body, dropped);
  }
  const ranked = candidates(body, dropped);
  const main = ranked.find(({ element }) => isMost(element, body, measures))?.element;
  removeAll(body, dropped);
  const content = main === undefined ? body : contentBeside(body, { main, ...aroundOf(main, ranked), heads });
  const isClear = main !== undefined && (rankOf(main) ?? CLEAR_MAX) < CLEAR_MAX;
  if (!isClear) removeAll(content, edgesOf(content, measures, main === undefined));
  removeAll(content, aroundLinesOf(content));
  return content;
}

/** Finds hidden elements, and elements that by their kind stand around the content. */
function frameOf(body: HtmlParent): { readonly frame: ReadonlySet<HtmlNode>; readonly heads: ReadonlySet<HtmlNode> } {
  const unseen = unseenOn(body);
  const { never, unlessAlone, heads } = framesOn(body, unseen);
  const always = new Set([...unseen, ...never]);
  const all = new Set([...always, ...unlessAlone]);
  const left = measureOf(body, measuresOf(body, all));
  return { frame: prose(left) === 0 && left.linked < ALONE_CHARACTERS_MAX ? always : all, heads };
}
const ALONE_CHARACTERS_MAX = 20;

/** Elements that claim to be the content by their kind are believed more than names. */
const CLEAR_MAX = 3;

function isMost(found: HtmlElement, body: HtmlParent, measures: Measures): boolean {
  const [inside, whole] = [measureOf(found, measures), measureOf(body, measures)];
  return inside.text > 0 && prose(inside) >= SHARE_MIN * prose(whole);
}

interface Ranked {
  readonly element: HtmlElement;
  readonly rank: number;
}

/** Returns the outermost element around the container that claims to be the content by its kind, and others of the same kind. */
function aroundOf(main: HtmlElement, ranked: readonly Ranked[]): Pick<Found, "outer" | "peers"> {
  const ranks = new Map(ranked.map(({ element, rank }) => [element, rank]));
  let outer = main;
  for (let above = main.parentNode; isElement(above); above = above.parentNode) {
    const rank = ranks.get(above);
    if (rank === 1 || rank === 2) outer = above;
  }
  const rank = ranks.get(outer) ?? CLEAR_MAX;
  if (rank >= CLEAR_MAX) return { outer, peers: [] };
  const peers: HtmlElement[] = [];
  const inside = new Set<HtmlNode>([outer]);
  for (const other of ranked) {
    // Outer elements come before inner ones.
    if (other.rank !== rank || holds(inside, other.element)) continue;
    inside.add(other.element);
    peers.push(other.element);
  }
  return { outer, peers };
}

function holds(holders: ReadonlySet<HtmlNode>, element: HtmlElement): boolean {
  for (let node: HtmlParent | null = element; isElement(node); node = node.parentNode)
    if (holders.has(node)) return true;
  return false;
}

/** Sorts by clarity of the claim. Equal ones stay in page order, the outermost first. */
function candidates(body: HtmlParent, dropped: ReadonlySet<HtmlNode>): Ranked[] {
  const ranked: Ranked[] = [];
  for (const element of elementsBelow(body, (found) => !dropped.has(found))) {
    if (dropped.has(element)) continue;
    const rank = rankOf(element);
    if (rank !== undefined) ranked.push({ element, rank });
  }
  return ranked.sort((one, other) => one.rank - other.rank);
}

function rankOf(element: HtmlElement): number | undefined {
  if (element.tagName === "main" || attribute(element, "role") === "main") return 1;
  if (element.tagName === "article" || attribute(element, "itemprop") === "articleBody") return 2;
  const rank = contentRank(element);
  return rank === undefined ? undefined : rank === 0 ? 0 : rank + 2;
}

/** The body of a parsed page; the page itself if it has none, as a frameset page. */
export function bodyOf(page: HtmlParent): HtmlParent {
  for (const element of elementsBelow(page, ({ tagName }) => tagName === "html")) {
    if (element.tagName === "body") return element;
  }
  return page;
}
