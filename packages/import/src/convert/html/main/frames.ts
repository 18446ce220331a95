import {
  attribute,
  classesOf,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isWithin,
  markAround,
  nodesIn,
  textIn,
  UNSEEN,
} from "../tree.ts";
import { idOf } from "./names.ts";
import { PageHeads } from "./page-heads.ts";
import { isPageHeading } from "./titles.ts";

/** Elements around the content by their kind, however little else is on the page. */
export interface Frames {
  readonly never: ReadonlySet<HtmlNode>;
  /** Content only if the page has nothing else. */
  readonly unlessAlone: ReadonlySet<HtmlNode>;
  /** Headers at the beginning of the page. Their prose and its headings are content. */
  readonly heads: ReadonlySet<HtmlNode>;
}

type Kind = "never" | "unlessAlone" | "head" | undefined;

export function framesOn(root: HtmlParent, unseen: ReadonlySet<HtmlNode>): Frames {
  const [never, unlessAlone] = [new Set<HtmlNode>(), new Set<HtmlNode>()];
  const enters = (element: HtmlElement): boolean =>
    !never.has(element) && !unlessAlone.has(element) && !unseen.has(element);
  const page = new PageKinds(root, unseen);
  const heads = new Set<HtmlNode>();
  for (const element of elementsBelow(root, enters)) {
    if (unseen.has(element)) continue;
    const kind = page.kindOf(element);
    if (kind === "never") never.add(element);
    else if (kind === "unlessAlone") unlessAlone.add(element);
    else if (kind === "head") {
      heads.add(element);
      for (const other of page.othersIn(element)) unlessAlone.add(other);
    }
  }
  return { never, unlessAlone, heads };
}

class PageKinds {
  /** Ancestors of the content container, and of page headings. */
  readonly #aroundMain = new Set<HtmlNode>();
  readonly #aroundHeading = new Set<HtmlNode>();
  /** The innermost elements that speak of cookies and have an accept button. */
  readonly #cookieBoxes = new Set<HtmlElement>();
  readonly #tried = new Set<HtmlElement>();
  readonly #heads: PageHeads;
  #headings = 0;

  constructor(root: HtmlParent, unseen: ReadonlySet<HtmlNode>) {
    this.#heads = new PageHeads(root, unseen);
    for (const element of elementsBelow(root, (found) => !unseen.has(found))) {
      if (unseen.has(element)) continue;
      if (isMain(element)) markAround(element, this.#aroundMain);
      if (isPageHeading(element)) {
        this.#headings += 1;
        markAround(element, this.#aroundHeading);
      }
      if (isAccepting(element)) this.#markCookieBox(element);
    }
  }

  kindOf(element: HtmlElement): Kind {
    if (this.#aroundMain.has(element) || HOLDERS.has(element.tagName)) return undefined;
    const hasHeading = this.#aroundHeading.has(element);
    if (isNavigation(element) || isFooter(element)) return hasHeading ? "unlessAlone" : "never";
    if (namesCookieBox(element)) return hasHeading ? "unlessAlone" : "never";
    if (this.#cookieBoxes.has(element) && !hasHeading) return "unlessAlone";
    if (isAside(element) || isNamedFooter(element)) return "unlessAlone";
    // The page's own heading may be in its header. If there are two, that one is the site's name.
    if (!isHeader(element) || (hasHeading && this.#headings === 1)) return undefined;
    if (this.#heads.isWithin(element)) return undefined;
    return !isSiteHeader(element) && this.#heads.isHead(element) ? "head" : "unlessAlone";
  }

  /** Returns the parts of a header at the page's beginning that are no prose. */
  othersIn(head: HtmlElement): readonly HtmlElement[] {
    return this.#heads.othersIn(head);
  }

  #markCookieBox(button: HtmlElement): void {
    let above = button.parentNode;
    for (let levels = 0; isElement(above) && levels < COOKIE_BOX_LEVELS_MAX; levels++, above = above.parentNode) {
      if (this.#tried.has(above)) return;
      this.#tried.add(above);
      if (!/^(?:div|section|aside|form|p)$/.test(above.tagName)) continue;
      const text = shortText(above);
      if (text === undefined) return;
      if (!/\bcookies?\b/i.test(text)) continue;
      this.#cookieBoxes.add(above);
      return;
    }
  }
}

/** The text of a small box; undefined for other elements. */
function shortText(element: HtmlElement): string | undefined {
  let [text, nodes] = ["", 0];
  for (const node of nodesIn(element, ({ tagName }) => !UNSEEN.has(tagName))) {
    if ("value" in node && node.nodeName === "#text") text += node.value.replace(/\s+/g, " ");
    if (++nodes > COOKIE_BOX_NODES_MAX || text.length > COOKIE_CHARACTERS_MAX) return undefined;
  }
  return text;
}

/** Never frames themselves, whatever their name. */
const HOLDERS = new Set("html body main h1 h2 h3 h4 h5 h6 pre code tbody thead tr td th li a b i em strong".split(" "));
const COOKIE_BOX_LEVELS_MAX = 6;
const COOKIE_CHARACTERS_MAX = 1_200;
const COOKIE_BOX_NODES_MAX = 400;

const NAVIGATION_ROLES = new Set("navigation search dialog alertdialog".split(" "));

function isNavigation(element: HtmlElement): boolean {
  return /^(?:nav|dialog|search)$/.test(element.tagName) || NAVIGATION_ROLES.has(roleOf(element));
}

function isFooter(element: HtmlElement): boolean {
  if (roleOf(element) === "contentinfo") return true;
  if (element.tagName !== "footer" || isWithin(element, "blockquote")) return false;
  return !/note/.test(attribute(element, "class") ?? "");
}

const FOOTER_NAME =
  /^(?:(?:site|page|global|main|app|layout|theme|docs?)[-_]{0,2})?footer(?:[-_](?:wrapper|container|links|bottom|top|inner|area|widgets|menu))?$/;

function isNamedFooter(element: HtmlElement): boolean {
  return namesOf(element).some((name) => FOOTER_NAME.test(name)) && !isWithin(element, "blockquote");
}

function isHeader(element: HtmlElement): boolean {
  const isOne = element.tagName === "header" || roleOf(element) === "banner" || namesSiteHeader(element);
  return isOne && !isInContent(element);
}

/** A header that says it belongs to the site, not to a page. */
function isSiteHeader(element: HtmlElement): boolean {
  return element.tagName !== "header" || roleOf(element) === "banner" || namesSiteHeader(element);
}

function namesSiteHeader(element: HtmlElement): boolean {
  return namesOf(element).some((name) => /^(?:site|global)[-_]{0,2}header$|^masthead$/.test(name));
}

const NOTE =
  /(?:^|[-_])(?:note|tip|warning|caution|important|danger|info|admonition|callout|hint|footnotes?|endnotes|aside|example|sidenote)(?:$|[-_])/;

/** An element beside the content. Notes within a text are content. */
function isAside(element: HtmlElement): boolean {
  return isAsideByKind(element) && !isNote(element) && !isInContent(element);
}

export function isAsideByKind(element: HtmlElement): boolean {
  return element.tagName === "aside" || roleOf(element) === "complementary";
}

export function isNote(element: HtmlElement): boolean {
  return classesOf(element).some((name) => NOTE.test(name)) || /^doc-|note/.test(roleOf(element));
}

const COOKIE_BOX =
  /(?:^|[-_])(?:cookies?|gdpr|consent|privacy)[-_]{0,2}(?:banner|bar|box|notice|notification|message|popup|modal|dialog|overlay|law|alert|prompt|panel|manager|consent|settings|disclaimer|sdk|layer)|cookiebot|onetrust|cookieconsent|^(?:cc-window|osano|didomi|usercentrics|truste|klaro|cmplz|iubenda-cs|borlabs)/;

function namesCookieBox(element: HtmlElement): boolean {
  return (
    /^(?:div|section|aside|p|form)$/.test(element.tagName) && namesOf(element).some((name) => COOKIE_BOX.test(name))
  );
}

function isAccepting(element: HtmlElement): boolean {
  const isPressed = element.tagName === "button" || (element.tagName === "a" && roleOf(element) === "button");
  return isPressed && ACCEPTS.test(textIn(element).slice(0, 200));
}
const ACCEPTS = /\b(?:accept|agree|allow|ok|okay|got it|akzeptieren|zustimmen|accepter|aceptar|accetta)\b/i;

function isMain({ tagName, attrs }: HtmlElement): boolean {
  return tagName === "main" || attrs.some(({ name, value }) => name === "role" && value === "main");
}

function isInContent(element: HtmlElement): boolean {
  for (let above = element.parentNode; isElement(above); above = above.parentNode)
    if (isMain(above) || above.tagName === "article") return true;
  return false;
}

function roleOf(element: HtmlElement): string {
  return attribute(element, "role") ?? "";
}

/** Its classes and its id, in lower case. */
function namesOf(element: HtmlElement): readonly string[] {
  const id = idOf(element).toLowerCase();
  const written = (attribute(element, "class") ?? "").length > 1_000 ? [] : classesOf(element);
  return id === "" ? written : [...written, id];
}
