import { visible } from "./visible.ts";

/**
 * Quotes a document's text for a model: each line follows a bar, so that none can pass for one of ours. Invisible characters, in which orders to a model can be
 * hidden, become visible ones.
 */
export function quoted(text: string): string {
  // This comes before the split: in "\r\r\n" the first character is a control, and would later pass for a part of a line break.
  const lines = visible(text).replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => (line === "" ? "|" : `| ${line}`)).join("\n");
}

/** Quotes a text on one line, cut if it is longer. */
export function oneLine(text: string, charactersMax: number): string {
  return cutAt(visible(text).replace(/\s+/g, " ").trim(), charactersMax);
}

/** Cuts a text between two characters, never within one, and adds a mark of the cut. */
export function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${beginning(text, charactersMax - 1)}…`;
}

/** Returns at most this many characters of a text, without half of one at the end. */
export function beginning(text: string, charactersMax: number): string {
  const cut = text.slice(0, charactersMax);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
