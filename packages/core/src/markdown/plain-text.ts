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
 * How a text is read. `text` is markdown as most of it is. In `code` every character counts as it stands; only the fence
 * around it goes. In `html` tags go and entities are read, but nothing is a mark of markdown. A `question` is what a person
 * typed, a title as well: a plain string with marks of markdown at most. What looks like a tag, a number, a space or a language
 * was meant: of these no word goes.
 */
export type Reading = "text" | "code" | "html" | "question";

/**
 * The words that a reader of the rendered page sees: marks, link targets, tags and comments are gone, link texts and code
 * stay, entities are what they stand for. Line breaks stay. `markdown` may be a part of a document: what was cut off is
 * not missed, and a mark without its partner goes as well. Takes linear time.
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

/** One line of letters, digits and what is no mark anywhere: titles, questions and most paragraphs are such. */
const NEEDS_NO_READING = /^[^\s\d>*+\-#`~=_|:[\]<\\&][^\n*`~_|[<\\&]*$/;

/** Reads the lines; the text between two marks of lines is read at once, since links and code may go over several. */
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

/** The same of one line, as most pieces are. */
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

/** The head of a callout is shown as its name. */
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

/** A block of code without the lines of its fence, if it has any: a part of a long one has not. */
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
