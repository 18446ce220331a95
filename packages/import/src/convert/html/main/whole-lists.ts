import { isLayoutTable } from "../markdown/tables.ts";
import { attribute, type HtmlElement, type HtmlNode, type HtmlParent, isElement } from "../tree.ts";
import { type Measures, measureOf } from "./measures.ts";

/** A list or table that an element belongs to. */
export interface Whole {
  /** The outermost enclosing list. */
  readonly list?: HtmlElement;
  /** The outermost enclosing data table. */
  readonly table?: HtmlElement;
}

const NOTHING: Whole = {};
const LISTS = new Set(["ul", "ol", "dl", "menu"]);
const ITEMS = new Set(["li", "dt", "dd"]);
const CELLS = new Set(["td", "th", "caption"]);

/**
 * Keeps the tables and lists of a page whole. A dropped cell would shift values below other column names, and a list without one of its items says something
 * else. So they stay, or are dropped as a whole.
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

  /** True if the element is a list item or a cell of a data table. */
  isPart(element: HtmlElement): boolean {
    if (ITEMS.has(element.tagName)) return this.around(element).list !== undefined;
    return CELLS.has(element.tagName) && this.around(element).table !== undefined;
  }

  /** Returns those of some leaves that leave no list and no data table in part. */
  wholly(some: readonly HtmlElement[], all: readonly HtmlElement[], measures: Measures): HtmlElement[] {
    const chosen = new Set(some);
    const kept = this.saying(all, measures);
    for (const leaf of all) if (!chosen.has(leaf)) for (const whole of this.#wholes(leaf)) kept.add(whole);
    return some.filter((leaf) => !this.#wholes(leaf).some((whole) => kept.has(whole)));
  }

  /** Returns the lists and data tables that say something besides these leaves. */
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
