import {
  attribute,
  childrenOf,
  elementsBelow,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isText,
  markAround,
  nodesIn,
  oneLine,
  textIn,
} from "../tree.ts";
import { wordsOf } from "../words.ts";
import { AccordionFaqs, isOpening } from "./accordion-faqs.ts";
import { isQuestion, QUESTION_CHARACTERS_MAX, tellsOfFaqs, type VisibleFaq } from "./faq.ts";
import { Siblings } from "./siblings.ts";

/** Finds the questions with answers that a page marks up as such, in page order. None is within another. */
export function visibleFaqs(root: HtmlParent, title: string): VisibleFaq[] {
  const found: VisibleFaq[] = [];
  const taken = new Set<HtmlNode>();
  const siblings = new Siblings();
  const accordions = new AccordionFaqs(root, siblings);
  let isBelowFaqs = tellsOfFaqs(title);
  for (const element of elementsBelow(root, (node) => !taken.has(node))) {
    if (/^h[1-6]$/.test(element.tagName))
      isBelowFaqs = tellsOfFaqs(textIn(element)) || (isBelowFaqs && element.tagName !== "h1" && isBelow(element));
    const faqs =
      element.tagName === "button" ? accordions.of(element, isBelowFaqs) : faqsOf(element, isBelowFaqs, siblings);
    if (faqs.length === 0) continue;
    found.push(...faqs);
    for (const { holders } of faqs) for (const holder of holders) taken.add(holder);
  }
  return found;
}

/** Headings between questions name their topic, and do not end the questions. */
function isBelow(heading: HtmlElement): boolean {
  return heading.tagName !== "h2" || elementsIn(heading).some(isOpening);
}

function faqsOf(element: HtmlElement, isBelowFaqs: boolean, siblings: Siblings): VisibleFaq[] {
  if (isTyped(element, "Question")) return typedFaq(element);
  if (element.tagName === "details") return detailsFaq(element, isBelowFaqs && siblings.countOf(element) > 1);
  if (element.tagName === "dl") return definedFaqs(element, isBelowFaqs);
  return [];
}

function isTyped(element: HtmlElement, name: string): boolean {
  const type = attribute(element, "itemtype") ?? attribute(element, "typeof") ?? "";
  return (
    type !== "" &&
    type
      .slice(0, 500)
      .split(/[\s/:#]+/)
      .includes(name)
  );
}

/** Reads schema.org microdata in the elements' attributes. */
function typedFaq(element: HtmlElement): VisibleFaq[] {
  const name = partOf(element, "name");
  const accepted = partOf(element, "acceptedAnswer") ?? partOf(element, "suggestedAnswer");
  if (name === undefined || accepted === undefined) return [];
  const question = oneLine(attribute(name, "content") ?? textIn(name));
  const answer = [partOf(accepted, "text") ?? accepted];
  return isFaq(question, answer) ? [{ question, answer, holders: [element] }] : [];
}

function partOf(element: HtmlElement, property: string): HtmlElement | undefined {
  for (const found of elementsBelow(element)) {
    const names = attribute(found, "itemprop") ?? attribute(found, "property") ?? "";
    if (names.split(/[\s:]+/).includes(property)) return found;
  }
  return undefined;
}

/** Other `<details>` are folded content. */
function detailsFaq(element: HtmlElement, isAmongFaqs: boolean): VisibleFaq[] {
  const summary = elementsIn(element).find(({ tagName }) => tagName === "summary");
  if (summary === undefined) return [];
  const question = oneLine(textIn(summary));
  const answer = childrenOf(element).filter((child) => child !== summary);
  const isOne = isQuestion(question) || isAmongFaqs;
  return isOne && isFaq(question, answer) ? [{ question, answer, holders: [element] }] : [];
}

/** Reads a `<dl>` below a heading that announces questions, if its terms are questions. */
function definedFaqs(list: HtmlElement, isBelowFaqs: boolean): VisibleFaq[] {
  const parts = elementsIn(list).flatMap((child) => (child.tagName === "div" ? elementsIn(child) : [child]));
  const terms = parts.filter(({ tagName }) => tagName === "dt");
  const asked = terms.filter((term) => isQuestion(oneLine(textIn(term))));
  if (!isBelowFaqs || terms.length === 0 || asked.length < 0.6 * terms.length) return [];
  const found: { question: string; answer: HtmlNode[]; holders: HtmlNode[] }[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (part.tagName === "dt") found.push({ question: oneLine(textIn(part)), answer: [], holders: [part] });
    else {
      last?.answer.push(part);
      last?.holders.push(part);
    }
  }
  return found.filter(({ question, answer }) => isFaq(question, answer));
}

function isFaq(question: string, answer: readonly HtmlNode[]): boolean {
  const isAnswered = answer.some((node) =>
    isText(node) ? node.value.trim() !== "" : "childNodes" in node && textIn(node).trim() !== "",
  );
  return question !== "" && question.length <= QUESTION_CHARACTERS_MAX && isAnswered;
}

/**
 * Finds the visible copies of structured-data questions. A copy is the element with just that text, and what follows it up to the next question or to a heading
 * that ends its part.
 */
export function placesOf(questions: readonly string[], root: HtmlParent): Map<string, VisibleFaq> {
  const asked = new Set(questions.map(wordsOf));
  const lengthMax = Math.max(0, ...questions.map((question) => question.length)) + 50;
  const places = new Map<string, HtmlElement>();
  const lengths = textLengths(root);
  for (const element of elementsBelow(root)) {
    const length = lengths.get(element) ?? 0;
    if (length === 0 || length > lengthMax) continue;
    const words = wordsOf(textIn(element));
    // The outermost element comes first: the answer is beside it.
    if (asked.has(words) && !places.has(words)) places.set(words, element);
  }
  const starts = new Set<HtmlNode>(places.values());
  const aroundStarts = new Set<HtmlNode>();
  for (const start of places.values()) markAround(start, aroundStarts);
  const siblings = new Siblings();
  const found = new Map<string, VisibleFaq>();
  for (const [words, element] of places) {
    const answer = answerBeside(element, siblings, (node) => starts.has(node) || aroundStarts.has(node));
    if (answer.length > 0)
      found.set(words, { question: oneLine(textIn(element)), answer, holders: [element, ...answer] });
  }
  return found;
}

/** Text lengths of all elements. Without it, a long text would be read for each enclosing element. */
function textLengths(root: HtmlParent): Map<HtmlNode | HtmlParent, number> {
  const lengths = new Map<HtmlNode | HtmlParent, number>();
  const all = [...nodesIn(root)];
  for (let at = all.length - 1; at >= 0; at--) {
    const node = all[at];
    if (node === undefined) continue;
    if ("value" in node && node.nodeName === "#text") lengths.set(node, node.value.trim().length);
    else
      lengths.set(
        node,
        childrenOf(node).reduce((sum, child) => sum + (lengths.get(child) ?? 0), 0),
      );
  }
  return lengths;
}

function answerBeside(question: HtmlElement, siblings: Siblings, holdsNext: (node: HtmlNode) => boolean): HtmlNode[] {
  const level = levelOf(question);
  const answer: HtmlNode[] = [];
  for (const sibling of siblings.after(question)) {
    if (isElement(sibling)) {
      const isPart = levelOf(sibling) > 0 && (level === 0 || levelOf(sibling) <= level);
      if (holdsNext(sibling) || isPart) break;
    }
    answer.push(sibling);
  }
  return answer;
}

function levelOf({ tagName }: HtmlElement): number {
  return Number(/^h([1-6])$/.exec(tagName)?.[1] ?? 0);
}
