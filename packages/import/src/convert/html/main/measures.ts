import { attribute, type HtmlElement, type HtmlNode, type HtmlParent, isElement, nodesIn, UNSEEN } from "../tree.ts";

/** The amount of text in an element. */
export interface Measure {
  /** Characters; white space between words counts once. */
  readonly text: number;
  /** Characters within links. */
  readonly linked: number;
  readonly links: number;
}

export type Measures = ReadonlyMap<HtmlNode | HtmlParent, Measure>;

export const NOTHING: Measure = { text: 0, linked: 0, links: 0 };

/** Measures a node and all elements below it, without dropped nodes. */
export function measuresOf(root: HtmlParent, dropped: ReadonlySet<HtmlNode>): Measures {
  const found = new Map<HtmlNode | HtmlParent, Growing>();
  const growing: Growing[] = [];
  const enters = (element: HtmlElement): boolean => !UNSEEN.has(element.tagName) && !dropped.has(element);
  for (const node of nodesIn(root, enters)) {
    const around = "parentNode" in node && node.parentNode !== null ? found.get(node.parentNode) : undefined;
    if (isElement(node) ? enters(node) : node === root) {
      const isLink = isElement(node) && node.tagName === "a" && attribute(node, "href") !== undefined;
      const isInLink = isLink || around?.isInLink === true;
      const measure = { around, isInLink, text: 0, linked: 0, links: isLink ? 1 : 0 };
      found.set(node, measure);
      growing.push(measure);
    } else if (around !== undefined && "value" in node) {
      const length = node.value.replace(/\s+/g, " ").trim().length;
      around.text += length;
      if (around.isInLink) around.linked += length;
    }
  }
  // Deeper elements come later.
  for (let at = growing.length - 1; at > 0; at--) {
    const measure = growing[at];
    if (measure?.around === undefined) continue;
    measure.around.text += measure.text;
    measure.around.linked += measure.linked;
    measure.around.links += measure.links;
  }
  return found;
}

interface Growing {
  readonly around: Growing | undefined;
  readonly isInLink: boolean;
  text: number;
  linked: number;
  links: number;
}

export function measureOf(element: HtmlElement | HtmlParent, measures: Measures): Measure {
  return measures.get(element) ?? NOTHING;
}

/** Characters that are not within links. */
export function prose({ text, linked }: Measure): number {
  return text - linked;
}

export function isMostlyLinks({ text, linked, links }: Measure, share = 0.5): boolean {
  return links > 0 && linked >= share * text;
}
