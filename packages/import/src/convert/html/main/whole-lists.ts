import { isLayoutTable } from "../markdown/tables.ts";
import { attribute, type HtmlElement, type HtmlNode, type HtmlParent, isElement } from "../tree.ts";
import { type Measures, measureOf } from "./measures.ts";

/** What an element is a part of, and never leaves alone. */
export interface Whole {
  /** The outermost list around it. */
  readonly list?: HtmlElement;
  /** The outermost table around it that tells data. */
  readonly table?: HtmlElement;
}

const NOTHING: Whole = {};
const LISTS = new Set(["ul", "ol", "dl", "menu"]);
const ITEMS = new Set(["li", "dt", "dd"]);
const CELLS = new Set(["td", "th", "caption"]);

/**
 * Tables and lists of a page. A cell that goes alone leaves its row with values below the names of other columns, and a list without one of its
 * items says something else: they stay, or go as a whole.
 */
export class WholeLists {
  readonly #root: HtmlParent;
  readonly #known = new Map<HtmlNode | HtmlParent, Whole>();

  constructor(root: HtmlParent) {
    this.#root = root;
  }

  around(element: HtmlElement): Whole {
    const path: HtmlElement[] = [];
    let above = element.parentNode;
    while (isElement(above) && above !== this.#root && !this.#known.has(above)) {
      path.push(above);
      above = above.parentNode;
    }
    let whole = (above === null ? undefined : this.#known.get(above)) ?? this.#within(above, NOTHING);
    for (let next = path.pop(); next !== undefined; next = path.pop()) {
      whole = this.#within(next, whole);
      this.#known.set(next, whole);
    }
    return whole;
  }

  /** Whether an element is an item of a list or a cell of such a table. */
  isPart(element: HtmlElement): boolean {
    if (ITEMS.has(element.tagName)) return this.around(element).list !== undefined;
    return CELLS.has(element.tagName) && this.around(element).table !== undefined;
  }

  /** Those of some leaves of the page that leave no list and no such table in part. */
  wholly(some: readonly HtmlElement[], all: readonly HtmlElement[], measures: Measures): HtmlElement[] {
    const chosen = new Set(some);
    const kept = this.saying(all, measures);
    for (const leaf of all) if (!chosen.has(leaf)) for (const whole of this.#wholes(leaf)) kept.add(whole);
    return some.filter((leaf) => !this.#wholes(leaf).some((whole) => kept.has(whole)));
  }

  /** Lists and such tables that say something besides what their leaves do. */
  saying(leaves: readonly HtmlElement[], measures: Measures): Set<HtmlElement> {
    const told = new Map<HtmlElement, number>();
    for (const leaf of leaves) {
      const { text } = measureOf(leaf, measures);
      for (const whole of this.#wholes(leaf)) told.set(whole, (told.get(whole) ?? 0) + text);
    }
    return new Set([...told].filter(([whole, text]) => measureOf(whole, measures).text > text).map(([whole]) => whole));
  }

  #wholes(leaf: HtmlElement): HtmlElement[] {
    const { list, table } = this.around(leaf);
    return [list, table].filter((whole) => whole !== undefined);
  }

  #within(node: HtmlParent | null, around: Whole): Whole {
    if (!isElement(node)) return around;
    if (node.tagName === "table") {
      return around.table !== undefined || isLayoutTable(node) ? around : { ...around, table: node };
    }
    return around.list === undefined && isList(node) ? { ...around, list: node } : around;
  }
}

function isList(element: HtmlElement): boolean {
  return LISTS.has(element.tagName) || attribute(element, "role") === "list";
}
