import { type HtmlElement, type HtmlNode, type HtmlParent, markAround, oneLine, textIn } from "../tree.ts";
import { isAroundLine } from "./around-words.ts";
import { isHeading, leavesOf, tellsRights } from "./edges.ts";
import { isMostlyLinks, type Measures, measureOf, prose } from "./measures.ts";

/** A paragraph with at least this number of characters needs no full stop. */
const PARAGRAPH_MIN = 60;
const SENTENCE = /[.!?:…。！？]["'”’»)\]]*$/;
const WORDS_MIN = 4;
/** The same for scripts without spaces between words. */
const UNSPACED_MIN = 8;

/** The leaves of a page that are written in sentences, and the elements around them. */
export class ProseLeaves {
  readonly #leaves = new Set<HtmlNode>();
  readonly #around = new Set<HtmlNode>();
  readonly #others = new Set<HtmlNode>();

  constructor(root: HtmlParent, measures: Measures) {
    for (const leaf of leavesOf(root)) {
      if (!isProse(leaf, measures)) markAround(leaf, this.#others);
      else {
        this.#leaves.add(leaf);
        markAround(leaf, this.#around);
      }
    }
  }

  /** True if the element is or holds such a leaf. */
  isIn(element: HtmlElement): boolean {
    return this.#leaves.has(element) || this.#around.has(element);
  }

  isOne(element: HtmlElement): boolean {
    return this.#leaves.has(element);
  }

  /** True if the element holds nothing else. */
  isAllOf(element: HtmlElement): boolean {
    return this.isIn(element) && !this.#others.has(element);
  }
}

function isProse(leaf: HtmlElement, measures: Measures): boolean {
  const measure = measureOf(leaf, measures);
  if (isHeading(leaf) || measure.text === 0 || isMostlyLinks(measure) || tellsRights(leaf)) return false;
  const text = oneLine(textIn(leaf));
  if (isAroundLine(text)) return false;
  if (leaf.tagName === "p" && prose(measure) >= PARAGRAPH_MIN) return true;
  if (!SENTENCE.test(text.slice(-10))) return false;
  return text.split(" ", WORDS_MIN).length === WORDS_MIN || (/[\p{Lo}]/u.test(text) && text.length >= UNSPACED_MIN);
}
