import { attribute, elementsBelow, type HtmlElement, oneLine, textIn } from "../tree.ts";

/** Writes a `<math>` element: as TeX if the page holds it, else as its text. */
export function formulaOf(math: HtmlElement): string {
  const annotations = [...elementsBelow(math)].filter(({ tagName }) => tagName === "annotation");
  const tex = annotations.find((found) => attribute(found, "encoding")?.toLowerCase().includes("tex"));
  const written = tex === undefined ? attribute(math, "alttext") : textIn(tex);
  if (written !== undefined && written.trim() !== "") return `$${oneLine(written)}$`;
  return oneLine(textIn(math, ({ tagName }) => !tagName.startsWith("annotation")));
}

/** Returns TeX that a script of the page would draw; undefined for any other element. */
export function scriptFormulaOf(element: HtmlElement): string | undefined {
  if (element.tagName !== "script" || !attribute(element, "type")?.startsWith("math/tex")) return undefined;
  return `$${oneLine(textIn(element, () => true))}$`;
}
