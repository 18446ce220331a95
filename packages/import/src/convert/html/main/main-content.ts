import {
  attribute,
  elementsBelow,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  textIn,
} from "../tree.ts";
import { aroundLinesOf } from "./around-lines.ts";
import { boilerplateOn, removeAll, unseenOn } from "./boilerplate.ts";
import { edgesOf } from "./edges.ts";
import { framesOn } from "./frames.ts";
import { type Measures, measureOf, measuresOf, prose } from "./measures.ts";
import { contentRank } from "./names.ts";

/** The share of what is written on a page that its content has at least: what comes out with less was not the content. */
const SHARE_MIN = 0.5;

/**
 * The part of a page that is its content. What stands around it is taken out of the tree; what only seems to stays where little
 * else would be left. Elements that say they are the
 * content are believed where most of the text stands in them; where none does it is the whole page without its edges of links.
 */
export function mainContent(body: HtmlParent): HtmlParent {
  const frame = frameOf(body);
  let dropped: ReadonlySet<HtmlNode> = new Set([...frame, ...boilerplateOn(body, frame)]);
  const all = measureOf(body, measuresOf(body, frame));
  let measures = measuresOf(body, dropped);
  const kept = measureOf(body, measures);
  if (prose(kept) < SHARE_MIN * prose(all) || (kept.text === 0 && all.text > 0)) {
    dropped = frame;
    measures = measuresOf(body, dropped);
  }
  const main = candidates(body, dropped).find((found) => isMost(found, body, measures));
  removeAll(body, dropped);
  const content = main === undefined ? body : withHeading(main, body);
  const isClear = main !== undefined && (rankOf(main) ?? CLEAR_MAX) < CLEAR_MAX;
  if (!isClear) removeAll(content, edgesOf(content, measures, main === undefined));
  removeAll(content, aroundLinesOf(content));
  return content;
}

/** What is hidden, and what stands around the content by its kind. */
function frameOf(body: HtmlParent): ReadonlySet<HtmlNode> {
  const unseen = unseenOn(body);
  const { never, unlessAlone } = framesOn(body, unseen);
  const always = new Set([...unseen, ...never]);
  const all = new Set([...always, ...unlessAlone]);
  const left = measureOf(body, measuresOf(body, all));
  return prose(left) === 0 && left.linked < ALONE_CHARACTERS_MAX ? always : all;
}
const ALONE_CHARACTERS_MAX = 20;

/** Elements that say they are the content by their kind are believed more than names. */
const CLEAR_MAX = 3;

/**
 * The content with the heading of the page where that stands beside it: of what is around the two, only what goes before the
 * content and has the heading stays.
 */
function withHeading(main: HtmlElement, body: HtmlParent): HtmlParent {
  if (hasHeading(main)) return main;
  let inner: HtmlElement = main;
  for (let above = main.parentNode; above !== null; above = isElement(above) ? above.parentNode : null) {
    const at = above.childNodes.indexOf(inner);
    const head = above.childNodes.slice(0, at).filter((node) => isElement(node) && hasHeading(node) && !isBar(node));
    if (head.length > 0) {
      above.childNodes = [...head, inner];
      return above;
    }
    if (above === body || !isElement(above)) break;
    above.childNodes = [inner];
    inner = above;
  }
  return main;
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

function isMost(found: HtmlElement, body: HtmlParent, measures: Measures): boolean {
  const [inside, whole] = [measureOf(found, measures), measureOf(body, measures)];
  return inside.text > 0 && prose(inside) >= SHARE_MIN * prose(whole);
}

/** Those that say it most clearly first; of several that say the same, the outermost and longest. */
function candidates(body: HtmlParent, dropped: ReadonlySet<HtmlNode>): HtmlElement[] {
  const ranked: { readonly element: HtmlElement; readonly rank: number }[] = [];
  for (const element of elementsBelow(body, (found) => !dropped.has(found))) {
    if (dropped.has(element)) continue;
    const rank = rankOf(element);
    if (rank !== undefined) ranked.push({ element, rank });
  }
  return ranked.sort((one, other) => one.rank - other.rank).map(({ element }) => element);
}

function rankOf(element: HtmlElement): number | undefined {
  if (element.tagName === "main" || attribute(element, "role") === "main") return 1;
  if (element.tagName === "article" || attribute(element, "itemprop") === "articleBody") return 2;
  const rank = contentRank(element);
  return rank === undefined ? undefined : rank === 0 ? 0 : rank + 2;
}

/** The body of a parsed page; the page itself where it has none, as pages of frames do. */
export function bodyOf(page: HtmlParent): HtmlParent {
  for (const element of elementsBelow(page, ({ tagName }) => tagName === "html")) {
    if (element.tagName === "body") return element;
  }
  return page;
}
