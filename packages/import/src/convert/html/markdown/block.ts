import type { HtmlNode } from "../tree.ts";
import type { Addresses } from "./link-target.ts";

/** A block of markdown. Its lines lack the indentation of the enclosing blocks. */
export interface Block {
  readonly kind: "paragraph" | "heading" | "list" | "code" | "table" | "quote";
  readonly text: string;
}

/** The context in which a block is written. */
export interface Place extends Addresses {
  /** Number of enclosing lists and quotes. */
  readonly depth: number;
}

/** The interface of the writer for lists and tables. */
export interface Writer {
  blocks(nodes: readonly HtmlNode[], place: Place): Block[];
  /** One line. */
  line(nodes: readonly HtmlNode[], place: Place): string;
}

/** Deeper lists and quotes are written on this level: readers do not follow them, and markdown parsers give up. */
export const DEPTH_MAX = 10;

export function joined(blocks: readonly Block[], gap = "\n\n"): string {
  return blocks.map(({ text }) => text).join(gap);
}

/** Puts `indent` before all lines but the first; empty lines stay empty. */
export function hanging(text: string, indent: string): string {
  return text.replace(/\n(?!\n)/g, `\n${indent}`);
}
