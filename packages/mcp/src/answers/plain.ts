/** Characters that could pass for the end of a line, or hide or turn round what stands beside them. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

const SIGN = "\ufffd";

/**
 * A document's text as a model is shown it: each line behind a bar, so that none can pass for one of ours. Signs that nobody sees, in which
 * orders to a model are hidden, become one that everybody does.
 */
export function quoted(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").replace(UNSAFE, SIGN).split("\n");
  return lines.map((line) => (line === "" ? "|" : `| ${line}`)).join("\n");
}

/** The same on one line, cut where it is longer. */
export function oneLine(text: string, charactersMax: number): string {
  return cutAt(text.replace(UNSAFE, SIGN).replace(/\s+/g, " ").trim(), charactersMax);
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
