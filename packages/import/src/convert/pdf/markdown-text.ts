/** Escapes words so that markdown shows exactly these words. */
export function escaped(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replace(/[`<](?=\S)/g, "\\$&")
    .replace(/&(?=#?\w{1,32};)/g, "\\&")
    .replace(/[*_]+/g, (marks, at: number, whole: string) => {
      const before = whole[at - 1] ?? " ";
      const after = whole[at + marks.length] ?? " ";
      const isInWord = marks.startsWith("_") && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
      const isAlone = before === " " && after === " ";
      return isInWord || isAlone ? marks : marks.replace(/[*_]/g, "\\$&");
    });
}

/** Escapes a paragraph so that it begins no heading, list, quote or rule. */
export function escapedParagraph(text: string): string {
  const own = escaped(text);
  return own
    .replace(/^(?=#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|~~~|[-=_]{3,}\s*$)/, "\\")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

export function escapedCell(text: string): string {
  return escaped(text).replace(/\|/g, "\\|");
}
