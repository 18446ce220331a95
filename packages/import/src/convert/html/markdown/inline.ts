import {
  attribute,
  childrenOf,
  elementsBelow,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  NO_WIDTH,
  oneLine,
  textIn,
  UNSEEN,
} from "../tree.ts";
import { codeSpan, escapeText } from "./escape.ts";
import { type Addresses, linkTarget } from "./link-target.ts";

export interface InlineMarks extends Addresses {
  /** Enclosing open marks: none is opened within itself. */
  readonly open?: ReadonlySet<string>;
}

/** Writes inline nodes as markdown. A `<br>` is a newline; two of them end a paragraph. */
export function inlineMarkdown(nodes: readonly HtmlNode[], marks: InlineMarks): string {
  const line = new Line();
  for (const node of nodes) write(node, line, marks);
  return line.text;
}

/** Builds a line. It has no space at its beginning, after a line break or after another space. */
class Line {
  readonly #parts: string[] = [];
  /** Adjacent code spans become one: otherwise their backticks would be misread. */
  #code: string[] = [];

  get text(): string {
    this.#closeCode();
    return this.#parts.join("");
  }

  add(text: string): void {
    if (text === "") return;
    this.#closeCode();
    this.#append(text);
  }

  addCode(code: string): void {
    this.#code.push(code);
  }

  break(): void {
    this.#closeCode();
    const last = this.#parts.at(-1);
    if (last?.endsWith(" ")) this.#parts[this.#parts.length - 1] = last.slice(0, -1);
    this.#parts.push("\n");
  }

  endsWithinWord(): boolean {
    return this.#code.length === 0 && /[\p{L}\p{N}]$/u.test(this.#parts.at(-1)?.slice(-2) ?? "");
  }

  #append(text: string): void {
    const last = this.#parts.at(-1)?.at(-1) ?? " ";
    const added = (last === " " || last === "\n") && text.startsWith(" ") ? text.slice(1) : text;
    if (added !== "") this.#parts.push(added);
  }

  #closeCode(): void {
    if (this.#code.length === 0) return;
    const code = this.#code.join("");
    this.#code = [];
    if (/^\s/.test(code)) this.#append(" ");
    this.#append(codeSpan(code));
    if (/\s$/.test(code)) this.#append(" ");
  }
}

function write(node: HtmlNode, line: Line, marks: InlineMarks): void {
  if (isText(node)) {
    line.add(escapeText(node.value.replace(NO_WIDTH, "").replace(/\s+/g, " ")));
    return;
  }
  if (!isElement(node)) return;
  const formula = scriptFormulaOf(node);
  if (formula !== undefined) line.add(formula);
  if (UNSEEN.has(node.tagName)) return;
  switch (node.tagName) {
    case "br":
      line.break();
      return;
    case "img":
      line.add(escapeText(altOf(node)));
      return;
    case "math":
      line.add(formulaOf(node));
      return;
    case "code":
    case "tt":
    case "kbd":
    case "samp":
      writeCode(node, line, marks);
      return;
    case "a":
      writeLink(node, line, marks);
      return;
    case "b":
    case "strong":
      wrap(node, line, marks, "**");
      return;
    case "i":
    case "em":
      wrap(node, line, marks, "*");
      return;
    case "del":
    case "s":
    case "strike":
      wrap(node, line, marks, "~~");
      return;
    case "q":
      line.add("“");
      writeAll(node, line, marks);
      line.add("”");
      return;
    case "sup":
      writeSuperscript(node, line, marks);
      return;
    case "button":
      if (marks.open?.has("heading") && isAllOfParent(node)) writeAll(node, line, marks);
      return;
    case "rp":
      return;
    case "rt":
      line.add("(");
      writeAll(node, line, marks);
      line.add(")");
      return;
    default:
      writeAll(node, line, marks);
  }
}

function writeAll(element: HtmlElement, line: Line, marks: InlineMarks): void {
  for (const child of childrenOf(element)) write(child, line, marks);
}

/** A heading that is one button opens the content below it. A button beside a heading's words does something else. */
function isAllOfParent(button: HtmlElement): boolean {
  const { parentNode } = button;
  return parentNode === null || textIn(parentNode).trim() === textIn(button).trim();
}

function within(marks: InlineMarks, mark: string): InlineMarks {
  return { ...marks, open: new Set([...(marks.open ?? []), mark]) };
}

/** Puts marks around words. Around parts of a word, or around nothing, they would be read as text. */
function wrap(element: HtmlElement, line: Line, marks: InlineMarks, mark: string): void {
  if (marks.open?.has(mark)) {
    writeAll(element, line, marks);
    return;
  }
  const inner = inlineMarkdown(childrenOf(element), within(marks, mark));
  const text = inner.trim();
  const before = /^\s/.test(inner) || /^\s/.test(rawStart(element)) ? " " : "";
  const after = /\s$/.test(inner) ? " " : "";
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  const splitsWord = (before === "" && line.endsWithinWord()) || (after === "" && startsWithinWord(element));
  const isPlain = !hasWords || splitsWord || text.includes("\n\n") || marks.open?.has("heading");
  line.add(before + (isPlain ? text : mark + text + mark) + after);
  if (inner.endsWith("\n")) line.break();
}

/** A builder drops leading white space, so this reads it from the page. */
function rawStart(element: HtmlElement): string {
  for (let node: HtmlNode | undefined = childrenOf(element)[0]; node !== undefined; node = childrenOf(node)[0]) {
    if (isText(node)) return node.value.slice(0, 1);
  }
  return "";
}

function startsWithinWord(element: HtmlElement): boolean {
  const siblings = element.parentNode === null ? [] : element.parentNode.childNodes;
  const next = nextOf(element, siblings);
  if (next === undefined) return false;
  return /^[\p{L}\p{N}]/u.test(isText(next) ? next.value.slice(0, 2) : "");
}

function nextOf(element: HtmlElement, siblings: readonly HtmlNode[]): HtmlNode | undefined {
  const known = positions.get(siblings) ?? new Map(siblings.map((node, at) => [node, at]));
  positions.set(siblings, known);
  return siblings[(known.get(element) ?? siblings.length) + 1];
}
/** The index of each node among its siblings. Without it, a long paragraph would take quadratic time. */
const positions = new WeakMap<readonly HtmlNode[], Map<HtmlNode, number>>();

function writeCode(element: HtmlElement, line: Line, marks: InlineMarks): void {
  const [only, ...others] = elementsIn(element);
  const isOneLink = only?.tagName === "a" && others.length === 0 && textIn(element).trim() === textIn(only).trim();
  const target = isOneLink && only !== undefined ? linkTarget(attribute(only, "href"), marks) : undefined;
  const code = textIn(element).replace(NO_WIDTH, "");
  if (target === undefined || marks.open?.has("link")) {
    line.addCode(code);
  } else if (code.trim() !== "") line.add(`[${codeSpan(code)}](${target})`);
}

function writeLink(element: HtmlElement, line: Line, marks: InlineMarks): void {
  const target = linkTarget(attribute(element, "href"), marks);
  if (target === undefined || marks.open?.has("link")) {
    if (!isAnchorSign(element)) writeAll(element, line, marks);
    return;
  }
  const inner = inlineMarkdown(childrenOf(element), within(marks, "link"));
  const text = inner.trim().replace(/\n+/g, " ");
  if (text === "" || isAnchorSign(element)) return;
  if (/^\s/.test(rawStart(element))) line.add(" ");
  const isAddress = textIn(element).trim() === target && /^https?:\/\/[^\s<>]+$/.test(target);
  line.add(isAddress ? `<${target}>` : `[${text}](${target})`);
  if (/\s$/.test(inner)) line.add(" ");
}

/** The anchor sign beside a heading that links to the heading. */
function isAnchorSign(element: HtmlElement): boolean {
  if (attribute(element, "href") === undefined) return false;
  const text = textIn(element).trim();
  return /^(?:[¶#§🔗↩⏎↑^\uE000-\uF8FF]\uFE0E?\uFE0F?|↩︎)$/u.test(text);
}

function writeSuperscript(element: HtmlElement, line: Line, marks: InlineMarks): void {
  const text = textIn(element).trim();
  const note = /^\[?(\d{1,4}|[a-z*†‡])\]?$/u.exec(text)?.[1];
  const isNote = note !== undefined && (isReference(element) || elementsIn(element).some(isReference));
  if (isNote) line.add(`[^${note}]`);
  else if (/^[-+−]?\d+$/.test(text) || /^[-+−]?[a-z]$/i.test(text)) line.add(`^${text}`);
  else writeAll(element, line, marks);
}

/** A link to a note on the same page. */
function isReference(element: HtmlElement): boolean {
  const isLink = element.tagName === "a" && /#./.test(attribute(element, "href") ?? "");
  const { parentNode } = element;
  return (
    isLink || (isElement(parentNode) && parentNode.tagName === "a" && /#./.test(attribute(parentNode, "href") ?? ""))
  );
}

/** Alternative text of a picture; empty if it is a file name. */
function altOf(image: HtmlElement): string {
  const alt = (attribute(image, "alt") ?? "").replace(/\s+/g, " ").trim();
  return /^logo$|^\S+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i.test(alt) ? "" : alt;
}

/** Writes a `<math>` element: as TeX if the page holds it, else as its text. */
function formulaOf(math: HtmlElement): string {
  const annotations = [...elementsBelow(math)].filter(({ tagName }) => tagName === "annotation");
  const tex = annotations.find((found) => attribute(found, "encoding")?.toLowerCase().includes("tex"));
  const written = tex === undefined ? attribute(math, "alttext") : textIn(tex);
  if (written !== undefined && written.trim() !== "") return `$${oneLine(written)}$`;
  return oneLine(textIn(math, ({ tagName }) => !tagName.startsWith("annotation")));
}

/** Returns TeX that a script of the page would draw; undefined for any other element. */
function scriptFormulaOf(element: HtmlElement): string | undefined {
  if (element.tagName !== "script" || !attribute(element, "type")?.startsWith("math/tex")) return undefined;
  return `$${oneLine(textIn(element, () => true))}$`;
}
