import { expect, test } from "vitest";
import { visibleFaqs } from "../../../src/convert/html/faqs/visible-faqs.ts";
import { parseHtml } from "../../../src/convert/html/parse.ts";
import { elementsBelow, type HtmlNode, type HtmlParent } from "../../../src/convert/html/tree.ts";

const COUNT = 1_000;

/** How often children of any element are looked at. */
function counting(root: HtmlParent): () => number {
  let looks = 0;
  const counted = (children: HtmlNode[]): HtmlNode[] =>
    new Proxy(children, {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
        const found: unknown = Reflect.get(target, name, receiver);
        return found;
      },
    });
  for (const parent of [root, ...elementsBelow(root)]) parent.childNodes = counted(parent.childNodes);
  return () => looks;
}

/** However many of them stand beside each other: none looks for itself among all of them. */
test.each([
  ["buttons", "<button aria-expanded=false>Is it so?</button><p>b</p>".repeat(COUNT), COUNT],
  [
    "buttons that open one panel",
    `<div id=x>${"<p>b</p>".repeat(COUNT)}</div>${"<button aria-expanded=false aria-controls=x>Is it so?</button>".repeat(COUNT)}`,
    1,
  ],
  [
    "buttons that open one menu",
    `<nav id=x>${"<p>b</p>".repeat(COUNT)}</nav>${"<button aria-expanded=false aria-controls=x>Is it so?</button>".repeat(COUNT)}`,
    0,
  ],
  [
    "buttons in what they open",
    `<div id=x>${"<button aria-expanded=false aria-controls=x>Is it so?</button>".repeat(COUNT)}</div>`,
    0,
  ],
  [
    "details below a text",
    `${"<p>x</p>".repeat(COUNT)}${"<details><summary>a</summary>b</details>".repeat(COUNT)}`,
    COUNT,
  ],
])("%s are looked at a few times each", (_, html, found) => {
  const root = parseHtml(html);
  const looks = counting(root);
  expect(visibleFaqs(root, "FAQ")).toHaveLength(found);
  expect(looks()).toBeLessThan(100 * COUNT);
});
