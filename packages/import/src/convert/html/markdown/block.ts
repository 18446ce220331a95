import type { HtmlNode } from "../tree.ts";
import type { Addresses } from "./link-target.ts";

/** A block of markdown, its lines without the indentation of what it stands in. */
export interface Block {
  readonly kind: "paragraph" | "heading" | "list" | "code" | "table" | "quote";
  readonly text: string;
}

/** Where something stands that is written. */
export interface Place extends Addresses {
  /** Lists and quotes around it. */
  readonly depth: number;
}

/** What lists and tables ask of the writer that they are a part of. */
export interface Writer {
  blocks(nodes: readonly HtmlNode[], place: Place): Block[];
  /** One line. */
  line(nodes: readonly HtmlNode[], place: Place): string;
}

/** Lists and quotes deeper than this are written beside what they stand in: no reader follows them, and the readers of markdown give up. */
export const DEPTH_MAX = 10;

export function joined(blocks: readonly Block[], gap = "\n\n"): string {
  return blocks.map(({ text }) => text).join(gap);
}

/** All lines but the first get `indent` before them; empty ones stay empty. */
export function hanging(text: string, indent: string): string {
  return text.replace(/\n(?!\n)/g, `\n${indent}`);
}
