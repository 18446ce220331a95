import { type Block, DEPTH_MAX, joined, type Place, type Writer } from "./markdown/block.ts";
import { codeBlock, escapeLineStart } from "./markdown/escape.ts";
import { type InlineMarks, inlineMarkdown } from "./markdown/inline.ts";
import { languageOf } from "./markdown/language.ts";
import type { Addresses } from "./markdown/link-target.ts";
import { linkTarget } from "./markdown/link-target.ts";
import { definitionBlocks, listBlocks } from "./markdown/lists.ts";
import { tableBlocks } from "./markdown/tables.ts";
import { parseHtml } from "./parse.ts";
import {
  attribute,
  childrenOf,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isText,
  nodesIn,
  textIn,
  UNSEEN,
} from "./tree.ts";

/** Options of the conversion: `baseUrl` is the base address of relative links; without it they stay relative. */
export type MarkdownOptions = Addresses;

/**
 * Converts a page, or a part of one, to markdown. Between blocks is a blank line. A paragraph is one line, unless the page breaks a line; a table row is one
 * line. All content is written, whether main content or not; pictures as their alternative texts. The result ends without a newline, and is empty if there is
 * no text.
 */
export function htmlToMarkdown(html: string | HtmlParent | readonly HtmlNode[], options: MarkdownOptions = {}): string {
  const root = typeof html === "string" ? parseHtml(html) : html;
  const nodes: readonly HtmlNode[] = "childNodes" in root ? (isElement(root) ? [root] : root.childNodes) : root;
  const writer = new PageWriter(nodes);
  return joined(writer.blocks(nodes, { ...options, depth: 0 }));
}

class PageWriter implements Writer {
  /** Inline elements that nevertheless hold blocks. */
  readonly #holders = new Set<HtmlElement>();

  constructor(nodes: readonly HtmlNode[]) {
    for (const top of nodes)
      for (const node of nodesIn(top)) {
        if (!isElement(node) || !isBlock(node)) continue;
        for (let above = node.parentNode; isElement(above) && !isBlock(above); above = above.parentNode) {
          if (this.#holders.has(above)) break;
          this.#holders.add(above);
        }
      }
  }

  blocks(nodes: readonly HtmlNode[], place: Place): Block[] {
    const blocks: Block[] = [];
    let open: HtmlNode[] = [];
    const close = (): void => {
      if (open.length > 0) blocks.push(...paragraphs(open, place));
      open = [];
    };
    for (const node of nodes) {
      if (!isElement(node)) open.push(node);
      else if (!isBlock(node) && !this.#holders.has(node)) open.push(node);
      else {
        close();
        for (const block of this.#elementBlocks(node, place)) blocks.push(block);
      }
    }
    close();
    return blocks;
  }

  line(nodes: readonly HtmlNode[], place: Place): string {
    const inline = inlineMarkdown(nodes, { ...place, open: HEADING });
    return inline.replace(/\s+/g, " ").trim();
  }

  #elementBlocks(element: HtmlElement, place: Place): Block[] {
    const { tagName } = element;
    const children = childrenOf(element);
    if (UNSEEN.has(tagName)) return [];
    const level = headingLevel(element);
    if (level > 0) return this.#heading(element, level, place);
    switch (tagName) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return listBlocks(element, place, this);
      case "dl":
        return definitionBlocks(element, place, this);
      case "table":
        return tableBlocks(element, place, this);
      case "pre":
      case "listing":
      case "xmp":
        return code(element);
      case "blockquote":
        return this.#quote(children, place);
      case "summary":
        return strong(this.line(children, place));
      case "a":
        return linked(this.blocks(children, place), linkTarget(attribute(element, "href"), place));
      case "hr":
        return [];
      default:
        return this.blocks(children, place);
    }
  }

  #heading(element: HtmlElement, level: number, place: Place): Block[] {
    const text = this.line(childrenOf(element), place);
    return text === "" ? [] : [{ kind: "heading", text: `${"#".repeat(level)} ${text}` }];
  }

  #quote(children: readonly HtmlNode[], place: Place): Block[] {
    const blocks = this.blocks(children, { ...place, depth: place.depth + 1 });
    if (blocks.length === 0 || place.depth >= DEPTH_MAX) return blocks;
    const lines = joined(blocks).split("\n");
    return [{ kind: "quote", text: lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n") }];
  }
}

const HEADING: ReadonlySet<string> = new Set(["heading"]);

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noframes ol optgroup option p plaintext pre search " +
    "section summary table tbody td tfoot th thead tr ul xmp caption"
  ).split(" "),
);

function isBlock(element: HtmlElement): boolean {
  return BLOCKS.has(element.tagName) || (attribute(element, "role") === "heading" && element.tagName !== "a");
}

function headingLevel(element: HtmlElement): number {
  const [, digit] = /^h([1-6])$/.exec(element.tagName) ?? [];
  if (digit !== undefined) return Number(digit);
  if (attribute(element, "role") !== "heading") return 0;
  const level = Number(attribute(element, "aria-level") ?? "2");
  return level >= 1 && level <= 6 ? Math.floor(level) : 2;
}

/** A line break stays one; two of them separate paragraphs. */
function paragraphs(nodes: readonly HtmlNode[], place: InlineMarks): Block[] {
  if (nodes.every((node) => isText(node) && node.value.trim() === "")) return [];
  return inlineMarkdown(nodes, place)
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = paragraph.split("\n").map((line) => escapeLineStart(line.trim()));
      return lines.filter((line) => line !== "").join("  \n");
    })
    .filter((text) => text !== "")
    .map((text) => ({ kind: "paragraph", text }));
}

function strong(text: string): Block[] {
  return text === "" ? [] : [{ kind: "paragraph", text: /[*`\][]/.test(text) ? text : `**${text}**` }];
}

function code(element: HtmlElement): Block[] {
  const text = textIn(element)
    .replace(/\u00a0/g, " ")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  const first = text.findIndex((line) => line !== "");
  if (first < 0) return [];
  const last = text.findLastIndex((line) => line !== "");
  return [{ kind: "code", text: codeBlock(text.slice(first, last + 1).join("\n"), languageOf(element)) }];
}

/** Writes blocks that are one link: the first block is the link's text. */
function linked(blocks: readonly Block[], target: string | undefined): Block[] {
  const [first, ...others] = blocks;
  if (first === undefined || target === undefined) return [...blocks];
  const { kind, text } = first;
  if ((kind !== "paragraph" && kind !== "heading") || /\n|\]\(/.test(text)) return [...blocks];
  const textAt = kind === "heading" ? text.indexOf(" ") + 1 : 0;
  return [{ kind, text: `${text.slice(0, textAt)}[${text.slice(textAt)}](${target})` }, ...others];
}
