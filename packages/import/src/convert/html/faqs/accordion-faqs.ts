import {
  attribute,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  oneLine,
  textIn,
} from "../tree.ts";
import { isQuestion, QUESTION_CHARACTERS_MAX, type VisibleFaq } from "./faq.ts";

/** Elements around a button that say nothing besides. */
const AROUND_MAX = 5;

export function isOpening(element: HtmlElement): boolean {
  return element.tagName === "button" && attribute(element, "aria-expanded") !== undefined;
}

/** A button that opens the answer to what it asks: the panel that it names, or the one that follows it. */
export function accordionFaq(
  button: HtmlElement,
  ids: ReadonlyMap<string, HtmlElement>,
  isBelowFaqs: boolean,
): VisibleFaq[] {
  if (!isOpening(button)) return [];
  const question = oneLine(textIn(button, isRead));
  const isAsked = isQuestion(question) || isBelowFaqs;
  if (!isAsked || question === "" || question.length > QUESTION_CHARACTERS_MAX) return [];
  const holder = holderOf(button, question);
  const panel = ids.get(attribute(button, "aria-controls") ?? "") ?? nextOf(holder);
  if (panel === undefined || !isAnswer(panel)) return [];
  return [{ question, answer: [panel], holders: [holder, panel] }];
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
export function elementsById(root: HtmlParent): ReadonlyMap<string, HtmlElement> {
  const ids = new Map<string, HtmlElement>();
  for (const element of elementsBelow(root)) {
    const id = attribute(element, "id") ?? "";
    if (id !== "" && !ids.has(id)) ids.set(id, element);
  }
  return ids;
}

function nextOf(holder: HtmlElement): HtmlElement | undefined {
  const siblings: readonly HtmlNode[] = holder.parentNode?.childNodes ?? [];
  return siblings.slice(siblings.indexOf(holder) + 1, siblings.indexOf(holder) + 5).find(isElement);
}

/** A menu that opens has links alone. */
function isAnswer(panel: HtmlElement): boolean {
  const besides = textIn(panel, (element) => element.tagName !== "a" && isRead(element));
  return panel.tagName !== "nav" && besides.trim() !== "";
}
