import type { DefaultTreeAdapterTypes } from "parse5";

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlText = DefaultTreeAdapterTypes.TextNode;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

export function isElement(node: HtmlNode | HtmlParent | null | undefined): node is HtmlElement {
  return node !== null && node !== undefined && "tagName" in node;
}

export function isText(node: HtmlNode): node is HtmlText {
  return node.nodeName === "#text";
}

/** Children of a node. A template has none: its content is nowhere on the page. */
export function childrenOf(node: HtmlNode | HtmlParent): readonly HtmlNode[] {
  return "childNodes" in node ? node.childNodes : [];
}

export function elementsIn(node: HtmlParent): HtmlElement[] {
  return node.childNodes.filter(isElement);
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  for (const found of element.attrs) if (found.name === name) return found.value;
  return undefined;
}

/** Yields a node and all nodes below it, in page order. `enters` decides whose children are visited. */
export function* nodesIn(
  root: HtmlNode | HtmlParent,
  enters: (element: HtmlElement) => boolean = () => true,
): Generator<HtmlNode | HtmlParent> {
  const ahead: (HtmlNode | HtmlParent)[] = [root];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    yield node;
    if (isElement(node) && !enters(node)) continue;
    const children = childrenOf(node);
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child !== undefined) ahead.push(child);
    }
  }
}

export function* elementsBelow(
  root: HtmlNode | HtmlParent,
  enters?: (element: HtmlElement) => boolean,
): Generator<HtmlElement> {
  for (const node of nodesIn(root, enters)) if (node !== root && isElement(node)) yield node;
}

/** True if the element is within one of this kind. */
export function isWithin(element: HtmlElement, tagName: string): boolean {
  for (let above = element.parentNode; isElement(above); above = above.parentNode)
    if (above.tagName === tagName) return true;
  return false;
}

/** Adds all ancestors of an element. It stops at a known one, whose ancestors are known too, so all elements of a page take linear time. */
export function markAround(element: HtmlElement, holders: Set<HtmlNode>): void {
  for (let above = element.parentNode; isElement(above) && !holders.has(above); above = above.parentNode)
    holders.add(above);
}

/** All text below, unchanged; a line break is a newline. */
export function textIn(
  root: HtmlNode | HtmlParent,
  enters: (element: HtmlElement) => boolean = ({ tagName }) => !UNSEEN.has(tagName),
): string {
  const parts: string[] = [];
  for (const node of nodesIn(root, enters)) {
    if (isElement(node)) {
      if (node.tagName === "br") parts.push("\n");
    } else if (node.nodeName === "#text" && "value" in node) parts.push(node.value);
  }
  return parts.join("");
}

/** The content of these is never read as text. */
export const UNSEEN: ReadonlySet<string> = new Set(
  "script style template noscript iframe object embed applet video audio canvas svg head link meta input select textarea datalist map progress meter dialog".split(
    " ",
  ),
);

/** The classes of an element, in lower case. */
export function classesOf(element: HtmlElement): string[] {
  return (attribute(element, "class") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
}

/** Collapses each run of white space to one space, and removes zero-width characters. */
export function oneLine(text: string): string {
  return text.replace(NO_WIDTH, "").replace(/\s+/g, " ").trim();
}

/** Soft hyphens, and characters that only mark possible word breaks. */
export const NO_WIDTH = /[\u00ad\u200b\u2060\ufeff]/g;
