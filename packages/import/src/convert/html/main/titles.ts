import { attribute, elementsIn, type HtmlElement, isWithin, oneLine, textIn } from "../tree.ts";

/** A heading of level 1 that does not link to the site's first page. */
export function isPageHeading(element: HtmlElement): boolean {
  return element.tagName === "h1" && isTitle(element);
}

/** A heading that does not link to the site's first page. */
export function isTitle(element: HtmlElement): boolean {
  if (!/^h[1-6]$/.test(element.tagName)) return false;
  const isLink = elementsIn(element).some(
    (child) =>
      child.tagName === "a" && /^(?:[.]{0,2}\/|https?:.*)?(?:index\.html?)?$/.test(attribute(child, "href") ?? "x"),
  );
  return !isLink && !isWithin(element, "a") && oneLine(textIn(element)) !== "";
}
