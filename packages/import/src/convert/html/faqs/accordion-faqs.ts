import { isHidden } from "../main/boilerplate.ts";
import {
  attribute,
  classesOf,
  elementsBelow,
  type HtmlElement,
  type HtmlParent,
  isElement,
  isText,
  nodesIn,
  oneLine,
  textIn,
} from "../tree.ts";
import { isQuestion, QUESTION_CHARACTERS_MAX, type VisibleFaq } from "./faq.ts";
import type { Siblings } from "./siblings.ts";

/** Maximum elements around a button without other content. */
const AROUND_MAX = 5;
/** A panel directly follows its button, except for white space and comments. */
const NEXT_MAX = 4;
/** A holder with more nodes holds more than a question. */
const QUESTION_NODES_MAX = 100;

export function isOpening(element: HtmlElement): boolean {
  return element.tagName === "button" && attribute(element, "aria-expanded") !== undefined;
}

/** A button, its words, and the panels that it claims to open. */
interface Opening {
  readonly question: string;
  readonly ids: readonly string[];
}

/** The words of the buttons that open one element, and how many questions it holds. */
interface Openers {
  readonly said: Set<string>;
  questions: number;
}

/** Finds the buttons of a page that open answers to their questions. */
export class AccordionFaqs {
  readonly #byId = new Map<string, HtmlElement>();
  readonly #openers = new Map<HtmlElement, Openers>();
  readonly #tried = new Set<HtmlElement>();
  readonly #siblings: Siblings;

  constructor(root: HtmlParent, siblings: Siblings) {
    this.#siblings = siblings;
    const buttons: HtmlElement[] = [];
    for (const element of elementsBelow(root)) {
      const id = attribute(element, "id") ?? "";
      if (id !== "" && !this.#byId.has(id)) this.#byId.set(id, element);
      if (isOpening(element)) buttons.push(element);
    }
    for (const button of buttons) {
      const { question, ids } = openingOf(button);
      const panel = ids.length === 1 ? this.#byId.get(ids[0] ?? "") : undefined;
      if (panel === undefined || question === "" || opensMore(question)) continue;
      const openers = this.#openers.get(panel) ?? { said: new Set<string>(), questions: 0 };
      if (!openers.said.has(question) && isQuestion(question)) openers.questions++;
      openers.said.add(question);
      this.#openers.set(panel, openers);
    }
  }

  /**
   * Returns the question of a button. Its panel is the one that it alone names, or else the next element. A button that opens several panels, or one with
   * questions in it, opens a part of the page and asks nothing.
   */
  of(button: HtmlElement, isBelowFaqs: boolean): VisibleFaq[] {
    if (!isOpening(button)) return [];
    const { question, ids } = openingOf(button);
    const isAsked = isQuestion(question) || (isBelowFaqs && !opensMore(question));
    if (!isAsked || question === "" || question.length > QUESTION_CHARACTERS_MAX || ids.length > 1) return [];
    const holder = holderOf(button, question);
    const named = this.#byId.get(ids[0] ?? "");
    const panel = named ?? this.#nextOf(holder);
    if (panel === undefined || this.#tried.has(panel) || holds(panel, holder)) return [];
    if (!this.#isAskedBy(panel, question) || (named === undefined && !isQuestion(question) && !isPanel(panel)))
      return [];
    this.#tried.add(panel);
    if (!isAnswer(panel, isQuestion(question))) return [];
    return [{ question, answer: [panel], holders: [holder, panel] }];
  }

  /** Of several buttons for one panel, the one that is a question. None if they ask different things. */
  #isAskedBy(panel: HtmlElement, question: string): boolean {
    const openers = this.#openers.get(panel);
    if (openers === undefined) return true;
    if (!openers.said.has(question)) return false;
    return openers.said.size === 1 || (openers.questions === 1 && isQuestion(question));
  }

  /** Words between button and panel are a text of their own. */
  #nextOf(holder: HtmlElement): HtmlElement | undefined {
    for (const node of this.#siblings.after(holder, NEXT_MAX)) {
      if (isElement(node)) return node;
      if (isText(node) && node.value.trim() !== "") return undefined;
    }
    return undefined;
  }
}

function openingOf(button: HtmlElement): Opening {
  const ids = (attribute(button, "aria-controls") ?? "").split(/\s+/).filter((id) => id !== "");
  return { question: oneLine(textIn(button, isRead)), ids };
}

/** Icons are no words of the question. */
function isRead(element: HtmlElement): boolean {
  return attribute(element, "aria-hidden") !== "true" && !/^(?:svg|script|style)$/.test(element.tagName);
}

function holderOf(button: HtmlElement, question: string): HtmlElement {
  let holder = button;
  for (let levels = 0; levels < AROUND_MAX; levels++) {
    const above = holder.parentNode;
    if (!isElement(above) || above.childNodes.length > 10 || !saysOnly(above, question)) break;
    holder = above;
  }
  return holder;
}

function saysOnly(element: HtmlElement, question: string): boolean {
  let count = 0;
  for (const node of nodesIn(element, isRead)) {
    if (++count > QUESTION_NODES_MAX || ("value" in node && node.value.length > 2 * QUESTION_CHARACTERS_MAX))
      return false;
  }
  return oneLine(textIn(element, isRead)) === question;
}

function holds(panel: HtmlElement, inner: HtmlElement): boolean {
  for (let node: HtmlParent | null = inner; isElement(node); node = node.parentNode) if (node === panel) return true;
  return false;
}

/** A panel by its element or its name. */
function isPanel(element: HtmlElement): boolean {
  if (/^(?:region|tabpanel)$/.test(attribute(element, "role") ?? "") || isHidden(element)) return true;
  return classesOf(element).some((name) => /(?:^|[-_])(?:answer|panel|collapse|accordion|body|content)/.test(name));
}

/** True if it is no menu, which has only links, and no part of the page with questions of its own. */
function isAnswer(panel: HtmlElement, isToQuestion: boolean): boolean {
  if (panel.tagName === "nav" || isOpening(panel) || /^h[1-6]$/.test(panel.tagName)) return false;
  const isSeen = (element: HtmlElement): boolean => element === panel || isRead(element);
  const own = attribute(panel, "id");
  for (const element of elementsBelow(panel, isSeen)) {
    const opens = isOpening(element) || element.tagName === "details";
    const isOwn = own !== undefined && attribute(element, "aria-controls") === own;
    if (opens && !isToQuestion && !isOwn) return false;
    if ((opens || ASKING.has(element.tagName)) && isQuestion(oneLine(textIn(element, isRead)))) return false;
  }
  return textIn(panel, (element) => element.tagName !== "a" && isSeen(element)).trim() !== "";
}
const ASKING = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt"]);

const VERB = "(?:expand|collapse|show|hide|open|close|view|see|read|toggle|unfold|load)";
const OPENS = [
  new RegExp(
    `^(?:\\W*${VERB}\\b(?: (?:and|or|/) ${VERB}\\b| ?/ ?${VERB}\\b)?)(?: .{0,40})?\\b(?:all|every|everything|more|less|sections?|answers?|questions?|topics?|faqs?|details|menu|navigation|list)\\W*$`,
    "i",
  ),
  new RegExp(`^(?:\\W*${VERB}\\b) all\\b.{0,40}$`, "i"),
  /^(?:expand|collapse|toggle|open|close|more|less|all|menu|filters?|filter by.{0,30}|sort(?: by)?.{0,30}|search|share|contents|on this page|language)\W*$/i,
  /^(?:alle|alles|mehr|weniger)\b.{0,30}\b(?:öffnen|aufklappen|ausklappen|anzeigen|einblenden|schließen|zuklappen|einklappen|ausblenden)\W*$/i,
  /^(?:tout|toutes?|tous)\b.{0,20}\b(?:afficher|ouvrir|déplier|développer|réduire|fermer)\W*$|^(?:afficher|développer|ouvrir|déplier|réduire|masquer|voir|fermer) (?:tout|plus|moins|toutes?|tous)\b.{0,30}$/i,
  /^(?:mostrar|abrir|expandir|desplegar|ver|contraer|ocultar|cerrar|recolher) (?:tod[oa]s?|más|menos|tudo|mais)\b.{0,30}$/i,
  /^(?:mostra|espandi|apri|chiudi|vedi|comprimi|nascondi) (?:tutt[oiea]|di più|altro)\b.{0,30}$/i,
];

/** True if the words of a button tell its action on the page, and no topic of questions. */
function opensMore(words: string): boolean {
  return words.length <= 100 && OPENS.some((way) => way.test(words));
}
