import { attribute, childrenOf, type HtmlElement, type HtmlNode, isElement, isText } from "../tree.ts";
import { type Block, DEPTH_MAX, hanging, joined, type Place, type Writer } from "./block.ts";

/** Writes `<ul>`, `<ol>` and `<menu>`: one item a line if items are no longer than that. */
export function listBlocks(list: HtmlElement, place: Place, writer: Writer): Block[] {
  const inside = { ...place, depth: place.depth + 1 };
  const items = itemsOf(list).map((nodes) => ({
    nodes: nodes.all,
    value: nodes.value,
    blocks: writer.blocks(nodes.all, inside),
  }));
  if (place.depth >= DEPTH_MAX) return items.flatMap(({ blocks }) => blocks);
  const isOrdered = list.tagName === "ol";
  const isTight = items.every(({ blocks }) => blocks.slice(1).every(({ kind }) => kind === "list"));
  let number = numberOf(attribute(list, "start")) ?? 1;
  const lines: string[] = [];
  for (const { value, blocks } of items) {
    number = value ?? number;
    const mark = isOrdered ? `${number++}. ` : "- ";
    const text = joined(blocks, isTight ? "\n" : "\n\n");
    if (text !== "") lines.push(mark + hanging(text, " ".repeat(mark.length)));
  }
  return lines.length === 0 ? [] : [{ kind: "list", text: lines.join(isTight ? "\n" : "\n\n") }];
}

interface Item {
  readonly all: HtmlNode[];
  readonly value: number | undefined;
}

/** Content beside the items, for example a nested list, belongs to the item before it. */
function itemsOf(list: HtmlElement): Item[] {
  const items: Item[] = [];
  for (const child of childrenOf(list)) {
    if (isElement(child) && child.tagName === "li") {
      items.push({ all: [...childrenOf(child)], value: numberOf(attribute(child, "value")) });
    } else if (isElement(child) || (isText(child) && child.value.trim() !== "")) {
      const last = items.at(-1);
      if (last === undefined) items.push({ all: [child], value: undefined });
      else last.all.push(child);
    }
  }
  return items;
}

/** A number with more digits is no list marker. */
function numberOf(written: string | undefined): number | undefined {
  return written !== undefined && /^\s*\d{1,8}\s*$/.test(written) ? Number(written) : undefined;
}

/** Writes a `<dl>`: a term and its meaning on one line, if the meaning is one paragraph. */
export function definitionBlocks(list: HtmlElement, place: Place, writer: Writer): Block[] {
  const inside = { ...place, depth: place.depth + 1 };
  const entries = entriesOf(list).map(({ terms, meanings }) => ({
    term: terms
      .map((term) => termLine(term, inside, writer))
      .filter((text) => text !== "")
      .join(", "),
    blocks: meanings.flatMap((meaning) => writer.blocks(meaning, inside)),
  }));
  const isSimple = entries.every(({ blocks }) => blocks.length <= 1 && blocks.every(isPlain));
  if (!isSimple || place.depth >= DEPTH_MAX) return entries.flatMap(({ term, blocks }) => entryBlocks(term, blocks));
  const lines = entries.map(({ term, blocks }) => joined(entryBlocks(term, blocks))).filter((line) => line !== "");
  return lines.length === 0 ? [] : [{ kind: "list", text: lines.map((line) => `- ${hanging(line, "  ")}`).join("\n") }];
}

function entryBlocks(term: string, blocks: readonly Block[]): Block[] {
  if (term === "") return [...blocks];
  const [first, ...others] = blocks;
  if (first === undefined) return [{ kind: "paragraph", text: term }];
  if (!isPlain(first)) return [{ kind: "paragraph", text: term }, ...blocks];
  const sign = /[:;,.!?–—-]\**$/.test(term) ? "" : ":";
  return [{ kind: "paragraph", text: `${term}${sign} ${first.text}` }, ...others];
}

function isPlain({ kind }: Block): boolean {
  return kind === "paragraph";
}

function termLine(nodes: readonly HtmlNode[], place: Place, writer: Writer): string {
  const text = writer.line(nodes, place);
  // Code and links are visible by themselves, and nested marks would be read as text.
  return text === "" || /[*`\][]/.test(text) ? text : `**${text}**`;
}

interface Entry {
  readonly terms: (readonly HtmlNode[])[];
  readonly meanings: (readonly HtmlNode[])[];
}

function entriesOf(list: HtmlElement): Entry[] {
  const entries: Entry[] = [];
  const parts = childrenOf(list).flatMap((child) =>
    isElement(child) && child.tagName === "div" ? childrenOf(child) : [child],
  );
  for (const part of parts) {
    if (!isElement(part) && !(isText(part) && part.value.trim() !== "")) continue;
    const last = entries.at(-1);
    if (isElement(part) && part.tagName === "dt") {
      if (last === undefined || last.meanings.length > 0) entries.push({ terms: [childrenOf(part)], meanings: [] });
      else last.terms.push(childrenOf(part));
    } else {
      const nodes = isElement(part) && part.tagName === "dd" ? childrenOf(part) : [part];
      if (last === undefined) entries.push({ terms: [], meanings: [nodes] });
      else last.meanings.push(nodes);
    }
  }
  return entries;
}
