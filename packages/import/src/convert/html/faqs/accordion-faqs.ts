import { attribute, elementsBelow, type HtmlElement, type HtmlParent, isElement, oneLine, textIn } from "../tree.ts";
import { isQuestion, QUESTION_CHARACTERS_MAX, type VisibleFaq } from "./faq.ts";
import type { Siblings } from "./siblings.ts";

/** Elements around a button that say nothing besides. */
const AROUND_MAX = 5;
/** A panel follows its button at once, but for white space and comments. */
const NEXT_MAX = 4;

export function isOpening(element: HtmlElement): boolean {
  return element.tagName === "button" && attribute(element, "aria-expanded") !== undefined;
}

/** Questions whose answers buttons open: the panel that one names, or the one that follows it. A panel answers one question. */
export class AccordionFaqs {
  readonly #ids: ReadonlyMap<string, HtmlElement>;
  readonly #siblings: Siblings;
  /** Panels that were looked at: many buttons may name one. */
  readonly #panels = new Set<HtmlElement>();

  constructor(root: HtmlParent, siblings: Siblings) {
    this.#ids = elementsById(root);
    this.#siblings = siblings;
  }

  of(button: HtmlElement, isBelowFaqs: boolean): VisibleFaq[] {
    if (!isOpening(button)) return [];
    const question = oneLine(textIn(button, isRead));
    const isAsked = isQuestion(question) || isBelowFaqs;
    if (!isAsked || question === "" || question.length > QUESTION_CHARACTERS_MAX) return [];
    const holder = holderOf(button, question);
    const panel = this.#ids.get(attribute(button, "aria-controls") ?? "") ?? this.#nextOf(holder);
    if (panel === undefined || this.#panels.has(panel) || isAround(panel, button)) return [];
    this.#panels.add(panel);
    return isAnswer(panel) ? [{ question, answer: [panel], holders: [holder, panel] }] : [];
  }

  #nextOf(holder: HtmlElement): HtmlElement | undefined {
    for (const node of this.#siblings.after(holder, NEXT_MAX)) if (isElement(node)) return node;
    return undefined;
  }
}

function isAround(panel: HtmlElement, button: HtmlElement): boolean {
  for (let above = button.parentNode; isElement(above); above = above.parentNode) if (above === panel) return true;
  return false;
}

/** Signs that only the eye reads are no words of the question. */
function isRead(element: HtmlElement): boolean {
  return attribute(element, "aria-hidden") !== "true" && !/^(?:svg|script|style)$/.test(element.tagName);
}

function holderOf(button: HtmlElement, question: string): HtmlElement {
  let holder = button;
  for (let levels = 0; levels < AROUND_MAX; levels++) {
    const above = holder.parentNode;
    if (!isElement(above) || above.childNodes.length > 10 || oneLine(textIn(above, isRead)) !== question) break;
    holder = above;
  }
  return holder;
}

/** Elements by their ids; the first of those that share one. */
function elementsById(root: HtmlParent): ReadonlyMap<string, HtmlElement> {
  const ids = new Map<string, HtmlElement>();
  for (const element of elementsBelow(root)) {
    const id = attribute(element, "id") ?? "";
    if (id !== "" && !ids.has(id)) ids.set(id, element);
  }
  return ids;
}

/** A menu that opens has links alone. */
function isAnswer(panel: HtmlElement): boolean {
  const besides = textIn(panel, (element) => element.tagName !== "a" && isRead(element));
  return panel.tagName !== "nav" && besides.trim() !== "";
}
