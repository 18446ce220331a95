import { visible } from "./visible.ts";

/**
 * A document's text as a model is shown it: each line behind a bar, so that none can pass for one of ours. Signs that nobody sees, in which
 * orders to a model are hidden, become one that everybody does.
 */
export function quoted(text: string): string {
  // This comes before the split: in "\r\r\n" the first sign is a control character, and would later pass for a part of a line break.
  const lines = visible(text).replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => (line === "" ? "|" : `| ${line}`)).join("\n");
}

/** The same on one line, cut where it is longer. */
export function oneLine(text: string, charactersMax: number): string {
  return cutAt(visible(text).replace(/\s+/g, " ").trim(), charactersMax);
}

/** Cut between two characters, with a sign that it was; never within one. */
export function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${beginning(text, charactersMax - 1)}…`;
}

/** So many characters of a text, without half of one at the end. */
export function beginning(text: string, charactersMax: number): string {
  const cut = text.slice(0, charactersMax);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
