import { type HtmlElement, type HtmlNode, type HtmlParent, isElement } from "../tree.ts";

/** Positions of nodes among their siblings. Each parent's children are counted once, for any number of calls. */
export class Siblings {
  readonly #places = new Map<HtmlParent, ReadonlyMap<HtmlNode, number>>();
  readonly #named = new Map<HtmlParent, ReadonlyMap<string, number>>();

  /** Yields at most `countMax` following siblings. */
  *after(node: HtmlNode, countMax = Number.POSITIVE_INFINITY): Generator<HtmlNode> {
    const { parentNode } = node;
    if (parentNode === null) return;
    const siblings = parentNode.childNodes;
    const first = (this.#placesIn(parentNode).get(node) ?? siblings.length) + 1;
    for (let at = first; at < siblings.length && at < first + countMax; at++) {
      const sibling = siblings[at];
      if (sibling !== undefined) yield sibling;
    }
  }

  /** Number of siblings with the same tag name, this one included. */
  countOf({ tagName, parentNode }: HtmlElement): number {
    if (parentNode === null) return 1;
    let counts = this.#named.get(parentNode);
    if (counts === undefined) {
      counts = counted(parentNode);
      this.#named.set(parentNode, counts);
    }
    return counts.get(tagName) ?? 0;
  }

  #placesIn(parent: HtmlParent): ReadonlyMap<HtmlNode, number> {
    const known = this.#places.get(parent);
    if (known !== undefined) return known;
    const places = new Map(parent.childNodes.map((child, at) => [child, at]));
    this.#places.set(parent, places);
    return places;
  }
}

function counted(parent: HtmlParent): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const child of parent.childNodes)
    if (isElement(child)) counts.set(child.tagName, (counts.get(child.tagName) ?? 0) + 1);
  return counts;
}
