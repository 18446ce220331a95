/** Escapes text so that markdown shows exactly that text. Only characters that would be read as marks get a backslash. */
export function escapeText(text: string): string {
  if (!MARKS.test(text)) return text;
  return text.replace(MARK, (mark, at: number) => (isMark(mark, text, at) ? `\\${mark}` : mark));
}

const MARKS = /[\\`*_<&\]~]/;
const MARK = /[\\`*_<&\]~]/g;
const ENTITY = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;
const TAG = /^<[a-z/!?]/i;

function isMark(mark: string, text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? " ", text[at + 1] ?? " "];
  switch (mark) {
    case "\\":
      return PUNCTUATION.test(after);
    case "`":
      return true;
    case "*":
      return !(isSpace(before) && isSpace(after));
    // Within a word it is no mark.
    case "_":
      return !(WORD.test(before) && WORD.test(after)) && !(isSpace(before) && isSpace(after));
    case "~":
      return before === "~" || after === "~";
    case "<":
      return TAG.test(text.slice(at, at + 2));
    case "&":
      return ENTITY.test(text.slice(at, at + 34));
    default:
      return after === "(" || after === "[" || after === ":";
  }
}

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

function isSpace(character: string): boolean {
  return /\s/.test(character);
}

/** Escapes one line of a paragraph if it would begin a heading, a list, a quote or a rule. */
export function escapeLineStart(line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|(?:-{2,}|={1,}|_{3,}|\*{3,})\s*$)/.test(line)) return `\\${line}`;
  const [numbered, digits = ""] = /^(\d{1,9})[.)](?:\s|$)/.exec(line) ?? [];
  return numbered === undefined ? line : `${digits}\\${line.slice(digits.length)}`;
}

/** Writes inline code between as many backticks as it needs. */
export function codeSpan(code: string): string {
  const text = code.replace(/\s+/g, " ").trim();
  if (text === "") return "";
  const fence = "`".repeat(longestRun(text, "`") + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

export function codeBlock(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string, mark: string): number {
  let [longest, run] = [0, 0];
  for (let at = text.indexOf(mark); at >= 0 && at < text.length; at++) {
    run = text[at] === mark ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
