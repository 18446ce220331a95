import { attribute, elementsBelow, type HtmlElement, oneLine, textIn } from "../tree.ts";

/** A `<math>` element: as TeX where the page holds that too, else what it says. */
export function formulaOf(math: HtmlElement): string {
  const annotations = [...elementsBelow(math)].filter(({ tagName }) => tagName === "annotation");
  const tex = annotations.find((found) => attribute(found, "encoding")?.toLowerCase().includes("tex"));
  const written = tex === undefined ? attribute(math, "alttext") : textIn(tex);
  if (written !== undefined && written.trim() !== "") return `$${oneLine(written)}$`;
  return oneLine(textIn(math, ({ tagName }) => !tagName.startsWith("annotation")));
}

/** TeX that a script of the page would draw; undefined for any other element. */
export function scriptFormulaOf(element: HtmlElement): string | undefined {
  if (element.tagName !== "script" || !attribute(element, "type")?.startsWith("math/tex")) return undefined;
  return `$${oneLine(textIn(element, () => true))}$`;
}
