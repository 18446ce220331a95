import { elementsBelow, elementsIn, type HtmlElement, type HtmlNode, type HtmlParent, markAround } from "../tree.ts";
import { measuresOf } from "./measures.ts";
import { ProseLeaves } from "./prose-leaves.ts";
import { isPageHeading, isTitle } from "./titles.ts";

/**
 * Headers with text of the page itself. The page heading does not come after them, and they hold sentences. These stand below a heading in the header, or below
 * the page heading.
 */
export class PageHeads {
  readonly #leaves: ProseLeaves | undefined;
  readonly #titles = new Set<HtmlNode>();
  readonly #aroundTitles = new Set<HtmlNode>();
  readonly #places = new Map<HtmlNode, number>();
  readonly #aroundLast = new Set<HtmlNode>();
  readonly #within = new Set<HtmlNode>();
  #first = Number.POSITIVE_INFINITY;
  #last = -1;

  constructor(root: HtmlParent, unseen: ReadonlySet<HtmlNode>) {
    let last: HtmlElement | undefined;
    let at = 0;
    for (const element of elementsBelow(root, (found) => !unseen.has(found))) {
      at++;
      if (unseen.has(element)) continue;
      if (element.tagName === "header") this.#places.set(element, at);
      if (!isTitle(element)) continue;
      this.#titles.add(element);
      markAround(element, this.#aroundTitles);
      if (!isPageHeading(element)) continue;
      this.#first = Math.min(this.#first, at);
      this.#last = at;
      last = element;
    }
    if (last !== undefined) markAround(last, this.#aroundLast);
    this.#leaves = this.#places.size === 0 ? undefined : new ProseLeaves(root, measuresOf(root, unseen));
  }

  /** True if the element is within such a header, of those checked. */
  isWithin(element: HtmlElement): boolean {
    return this.#within.has(element);
  }

  isHead(element: HtmlElement): boolean {
    const place = this.#places.get(element);
    if (place === undefined) return false;
    if (this.#leaves?.isIn(element) !== true) return false;
    const isBefore = place < this.#last && !this.#aroundLast.has(element);
    return !isBefore && (this.#aroundTitles.has(element) || this.#first < place);
  }

  /** Returns the outermost elements of a header that hold neither sentences nor headings. */
  othersIn(head: HtmlElement): HtmlElement[] {
    const others: HtmlElement[] = [];
    const ahead = [head];
    for (let holder = ahead.pop(); holder !== undefined; holder = ahead.pop()) {
      for (const child of elementsIn(holder)) {
        if (this.#titles.has(child) || this.#leaves?.isOne(child) === true) continue;
        if (this.#aroundTitles.has(child) || this.#leaves?.isIn(child) === true) ahead.push(child);
        else others.push(child);
        this.#within.add(child);
      }
    }
    return others;
  }
}
