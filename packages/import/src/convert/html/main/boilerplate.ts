import {
  attribute,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  nodesIn,
  textIn,
} from "../tree.ts";
import { isAsideByKind, isNote } from "./frames.ts";
import { isMostlyLinks, type Measure, type Measures, measureOf, measuresOf, prose } from "./measures.ts";
import { namedAs } from "./names.ts";
import { WholeLists } from "./whole-lists.ts";

/** Finds nodes that readers never see: hidden, or no text by their kind. */
export function unseenOn(root: HtmlParent): Set<HtmlNode> {
  const shown = shownByControls(root);
  const dropped = new Set<HtmlNode>();
  for (const node of nodesIn(root, (found) => !dropped.has(found))) {
    let before: HtmlElement | undefined;
    for (const child of "childNodes" in node ? node.childNodes : []) {
      if (!isElement(child)) continue;
      const isContent = shown.has(attribute(child, "id") ?? "") || isOpened(child, before);
      if (isHidden(child) && !isContent) dropped.add(child);
      before = child;
    }
  }
  return dropped;
}

/** Ids of elements that a button, tab or link opens: hidden at first, but content. */
function shownByControls(root: HtmlParent): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const element of elementsBelow(root)) {
    for (const name of ["aria-controls", "data-target", "data-bs-target"]) {
      for (const id of (attribute(element, name) ?? "").split(/\s+/)) if (id !== "") ids.add(id.replace(/^#/, ""));
    }
    const opens =
      element.tagName === "a" && (attribute(element, "data-toggle") ?? attribute(element, "role")) !== undefined;
    if (opens) ids.add((attribute(element, "href") ?? "").replace(/^#/, ""));
  }
  return ids;
}

/** True if it is visible only after a click, or never. */
export function isHidden(element: HtmlElement): boolean {
  const hidden = attribute(element, "hidden");
  if (hidden !== undefined && hidden !== "until-found") return true;
  if (attribute(element, "aria-hidden") === "true") return true;
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(
    (attribute(element, "style") ?? "").slice(0, 1_000),
  );
}

/** A tab, or the answer below a clickable question. */
function isOpened(element: HtmlElement, before: HtmlElement | undefined): boolean {
  if (/^(?:tabpanel|region)$/.test(attribute(element, "role") ?? "")) return true;
  if (before !== undefined && isHidden(element) && opensNext(before) && !/^(?:ul|menu|nav)$/.test(element.tagName))
    return true;
  return isHidden(element) && before !== undefined && /[?？؟]$/.test(textIn(before).trim().slice(-5));
}

/** A button that says whether the next element is open. */
function opensNext(before: HtmlElement): boolean {
  let looked = 0;
  for (const node of nodesIn(before)) {
    if (isElement(node) && attribute(node, "aria-expanded") !== undefined) return true;
    if (++looked > 10) return false;
  }
  return false;
}

const FRAME_ROLES = new Set("menu menubar toolbar tablist doc-toc doc-pagelist doc-index".split(" "));

/** Finds elements that by name or text seem to stand around the content: menus, links to neighbouring pages or to parts of this page. */
export function boilerplateOn(root: HtmlParent, unseen: ReadonlySet<HtmlNode>): Set<HtmlNode> {
  const measures = measuresOf(root, unseen);
  const whole = measureOf(root, measures);
  const dropped = new Set<HtmlNode>();
  const wholes = new WholeLists(root);
  const enters = (element: HtmlElement): boolean => !dropped.has(element) && !unseen.has(element);
  for (const element of elementsBelow(root, enters)) {
    if (KEPT.has(element.tagName)) continue;
    const measure = measureOf(element, measures);
    if (isBoilerplate(element, measure, whole) && !isAllOfPart(element, measures, wholes)) dropped.add(element);
  }
  return dropped;
}

/** True if a list item or table cell holds nothing besides: its neighbours would stay without it. */
function isAllOfPart(element: HtmlElement, measures: Measures, wholes: WholeLists): boolean {
  const { text } = measureOf(element, measures);
  if (text === 0) return false;
  for (let node: HtmlParent | null = element; isElement(node); node = node.parentNode) {
    if (measureOf(node, measures).text > text) return false;
    if (wholes.isPart(node)) return true;
  }
  return false;
}

/** Never dropped by name: these hold the page, or words within a line. */
const KEPT = new Set("html body main h1 h2 h3 h4 h5 h6 pre code b i em strong tbody thead tr td th".split(" "));

function isBoilerplate(element: HtmlElement, measure: Measure, whole: Measure): boolean {
  if (isFrameByKind(element, measure, whole)) return true;
  const isMuch = prose(measure) > 0.3 * prose(whole) && !isMostlyLinks(measure);
  if (isMuch) return false;
  if (isLoneAroundLink(element, measure)) return true;
  const as = namedAs(element);
  if (as === "frame" && !holdsContent(element)) return true;
  // A link within a heading may be named "toc" or "header", and still be the heading's words.
  if (as === "links" && !/^(?:a|span)$/.test(element.tagName) && isMostlyLinks(measure, 0.6)) return true;
  return leadsAround(element, measure) || isLanguageChoice(element, measure) || isOwnContents(element, measure);
}

function isFrameByKind(element: HtmlElement, measure: Measure, whole: Measure): boolean {
  if (FRAME_ROLES.has(attribute(element, "role") ?? "")) return true;
  if (element.tagName === "form") return measure.text < 0.2 * whole.text || measure.text < 200;
  return isAsideByKind(element) && !isNote(element) && isMostlyLinks(measure, 0.4);
}

function holdsContent(element: HtmlElement): boolean {
  for (const { tagName } of elementsBelow(element)) if (tagName === "main" || tagName === "article") return true;
  return false;
}

const LINE_PARTS = new Set("p div ul ol table span center dl section".split(" "));
const AROUND_RELS = /\b(?:next|prev|previous|up|start|contents|index|first|last|top|home)\b/;
const AROUND_WORDS =
  /^(?:next|prev(?:ious)?|up|home|top|index|(?:table of )?contents|back(?: to (?:top|index|contents))?|start|weiter|zurück|hoch|inhalt|suivant|précédent|siguiente|anterior|successivo|precedente|次|前|下一页|上一页)$/i;
/** Maximum links to the next page and the like. */
const AROUND_LINKS_MAX = 12;

/** A line of links to the previous, next and parent page. */
function leadsAround(element: HtmlElement, measure: Measure): boolean {
  if (!LINE_PARTS.has(element.tagName)) return false;
  if (measure.links === 0 || measure.links > AROUND_LINKS_MAX || measure.text > 600 || prose(measure) > 80)
    return false;
  const links = linksIn(element);
  const around = links.filter(isAroundLink);
  return around.length >= 0.5 * links.length && (links.length > 1 || isMostlyLinks(measure, 0.7));
}

/** The words of a link; for a picture, its text. */
function wordsIn(link: HtmlElement): string {
  const pictures = [...elementsBelow(link)].filter(({ tagName }) => tagName === "img");
  const said = [textIn(link), ...pictures.map((picture) => attribute(picture, "alt") ?? "")].join(" ");
  return said
    .slice(0, 100)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A link to the next page and the like: by its words, by a lone arrow, number or letter, or by its attributes. */
function isAroundLink(link: HtmlElement): boolean {
  if (AROUND_RELS.test(attribute(link, "rel") ?? "")) return true;
  const words = wordsIn(link);
  return (
    AROUND_WORDS.test(words) ||
    /^(?:\d{1,3}|[A-Z])$/.test(words) ||
    (words === "" && /^[^\p{L}\p{N}]{1,5}$/u.test(textIn(link).trim()))
  );
}

/** A single such link within the text: to the top of the page, or with an arrow. */
function isLoneAroundLink(element: HtmlElement, { text }: Measure): boolean {
  const href = element.tagName === "a" ? attribute(element, "href") : undefined;
  if (href === undefined || text > 60 || !AROUND_WORDS.test(wordsIn(element))) return false;
  return (
    href.startsWith("#") || /[<>«»‹›←→↑]/.test(textIn(element)) || AROUND_RELS.test(attribute(element, "rel") ?? "")
  );
}

/** Links to the same page in other languages. */
function isLanguageChoice(element: HtmlElement, measure: Measure): boolean {
  if (!LINE_PARTS.has(element.tagName) || measure.links === 0 || prose(measure) > 100) return false;
  if (measure.links < 3 && !/\b(?:languages?|sprachen?|langues?|idiomas?)\b/i.test(textIn(element).slice(0, 300)))
    return false;
  const links = linksIn(element);
  return links.every(
    (link) => attribute(link, "hreflang") !== undefined || /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(textIn(link).trim()),
  );
}

function linksIn(element: HtmlElement): HtmlElement[] {
  return [...elementsBelow(element)].filter((found) => found.tagName === "a" && attribute(found, "href") !== undefined);
}

/** A list of links to parts of this page. */
function isOwnContents(element: HtmlElement, measure: Measure): boolean {
  if (!/^(?:ul|ol|dl|div|p|table)$/.test(element.tagName) || measure.links < 3 || !isMostlyLinks(measure, 0.6))
    return false;
  let [own, all] = [0, 0];
  for (const { tagName, attrs } of elementsBelow(element)) {
    const href = tagName === "a" ? attrs.find(({ name }) => name === "href")?.value : undefined;
    if (href === undefined) continue;
    all++;
    if (/^#./.test(href)) own++;
  }
  return own >= 0.8 * all;
}

/** Removes dropped nodes from the tree. */
export function removeAll(root: HtmlParent, dropped: ReadonlySet<HtmlNode>): void {
  if (dropped.size === 0) return;
  for (const node of nodesIn(root)) {
    if (!("childNodes" in node) || !node.childNodes.some((child) => dropped.has(child))) continue;
    node.childNodes = node.childNodes.filter((child) => !dropped.has(child));
  }
}
