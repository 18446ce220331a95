/** Marks of emphasis and code, and separators of cells. */
const MARKS = /[*`~|_]/;
const STRESS = /[*`~]+/g;

/** Removes the marks around words. Marks of emphasis and code are deleted, a separator of cells becomes a space, and `_` within a word stays. */
export function wordMarksRemoved(text: string): string {
  if (!MARKS.test(text)) return text;
  const rest = text.replace(STRESS, "").replaceAll("|", " ");
  return rest.includes("_") ? outerUnderscoresRemoved(rest) : rest;
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

function outerUnderscoresRemoved(text: string): string {
  let kept = "";
  let from = 0;
  for (let start = text.indexOf("_"); start >= 0; start = text.indexOf("_", from)) {
    let end = start + 1;
    while (text.charCodeAt(end) === 95) end++;
    const isInside = isWordBefore(text, start) && isWordAt(text, end);
    kept += text.slice(from, isInside ? end : start);
    from = end;
  }
  return kept + text.slice(from);
}

function isWordAt(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && WORD_CHARACTER.test(String.fromCodePoint(code));
}

function isWordBefore(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  const isPair = code >= 0xdc00 && code <= 0xdfff;
  return at > 0 && isWordAt(text, isPair && at > 1 ? at - 2 : at - 1);
}
