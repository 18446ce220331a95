import { inlineText } from "./inline-text.ts";
import {
  closesFence,
  type Fence,
  headingEnd,
  isBlankLine,
  isRule,
  type LineMarks,
  lineMarks,
  openingFence,
  quoteEnd,
} from "./line-marks.ts";

/**
 * How a text is read.
 * - `text`: markdown.
 * - `code`: every character counts; only the fence around it is removed.
 * - `html`: tags are removed and entities decoded; there are no marks of markdown.
 * - `question`: a question or a title, which a person typed. Marks of markdown are removed, but tags, list numbers, spaces and
 *   languages of fences are kept, since they were meant.
 */
export type Reading = "text" | "code" | "html" | "question";

/**
 * The visible text of markdown, as on the rendered page. Marks, link targets, tags and comments are removed, link texts and code
 * stay, entities are decoded. Line breaks stay. `markdown` may be cut from a document: missing definitions do no harm, and a mark
 * without its partner is removed too. Takes linear time.
 */
export function plainText(markdown: string, reading: Reading = "text"): string {
  switch (reading) {
    case "code":
      return codeText(markdown);
    case "html":
      return inlineText(markdown, "html");
    default:
      if (NEEDS_NO_READING.test(markdown)) return markdown;
      return markdown.includes("\n") ? markdownText(markdown, reading) : lineText(markdown, reading);
  }
}

/** A line without any mark, as titles, questions and most paragraphs are. */
const NEEDS_NO_READING = /^[^\s\d>*+\-#`~=_|:[\]<\\&][^\n*`~_|[<\\&]*$/;

/** Reads several lines. The text between two marks of lines is read at once, since links and code may span lines. */
function markdownText(markdown: string, reading: "text" | "question"): string {
  const out: string[] = [];
  let run: string[] = [];
  let fence: Fence | undefined;
  const flush = (): void => {
    if (run.length > 0) out.push(inlineText(run.join("\n"), reading));
    run = [];
  };
  for (let at = 0; at <= markdown.length; ) {
    const lineEnd = markdown.indexOf("\n", at);
    const end = lineEnd < 0 ? markdown.length : lineEnd;
    const line = markdown.slice(at, end);
    at = end + 1;
    if (fence !== undefined) {
      const start = quoteEnd(line);
      if (closesFence(line, start, fence)) fence = undefined;
      else out.push(line.slice(start));
      continue;
    }
    if (isBlankLine(line)) {
      flush();
      out.push(line);
      continue;
    }
    const marks = lineMarks(line, reading === "question");
    fence = openingFence(line, marks.end);
    if (fence !== undefined || marks.beginsBlock) flush();
    if (fence === undefined) run.push(withoutLineMarks(line, marks));
    else if (reading === "question") out.push(inlineText(line.slice(fence.end), reading));
  }
  flush();
  return out.join("\n");
}

/** Reads one line, as most fragments are. */
function lineText(line: string, reading: "text" | "question"): string {
  const marks = lineMarks(line, reading === "question");
  const fence = openingFence(line, marks.end);
  if (fence === undefined) return inlineText(withoutLineMarks(line, marks), reading);
  return reading === "question" ? inlineText(line.slice(fence.end), reading) : "";
}

function withoutLineMarks(line: string, { end, isHeading }: LineMarks): string {
  if (isRule(line, end)) return "";
  return withoutCallout(line.slice(end, isHeading ? headingEnd(line) : line.length));
}

/** Replaces the head of a callout, such as `[!NOTE]`, by its name. */
function withoutCallout(text: string): string {
  if (!text.startsWith("[!")) return text;
  const end = text.indexOf("]");
  return end > 2 && isName(text, 2, end) ? text.slice(2, end) + text.slice(end + 1) : text;
}

function isName(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const lower = text.charCodeAt(at) | 32;
    if (lower < 97 || lower > 122) return false;
  }
  return true;
}

/** Removes the fence lines of a block of code. A cut block may have none. */
function codeText(code: string): string {
  const firstEnd = code.indexOf("\n");
  const first = firstEnd < 0 ? code : code.slice(0, firstEnd);
  const fence = openingFence(first, lineMarks(first).end);
  const start = fence === undefined ? 0 : firstEnd < 0 ? code.length : firstEnd + 1;
  const lastStart = code.lastIndexOf("\n") + 1;
  const last = code.slice(lastStart);
  const closing = fence ?? openingFence(last, quoteEnd(last));
  const isClosed = lastStart >= start && closing !== undefined && closesFence(last, quoteEnd(last), closing);
  return code.slice(start, isClosed ? Math.max(start, lastStart - 1) : code.length);
}
