import MarkdownIt, { type MarkdownIt as Parser, type ParserInline, type Token } from "markdown-it";
import { wordMarksRemoved } from "./word-marks.ts";

type InlineRule = Parameters<ParserInline["ruler"]["push"]>[1];

/**
 * The most UTF-16 units that the inline rules of markdown-it get at once, since they take more than linear time on some texts.
 * Fragments of documents are shorter. docs/decisions has the worst case.
 */
const STRETCH_UNITS_MAX = 2_048;

/** At each `[` the parser may read the rest of the stretch. A text with more than one in this many units is read without links. */
const UNITS_A_BRACKET_MIN = 6;
const BRACKETS_ALWAYS = 64;

/** Characters that inline rules begin with. A text without any needs no parser. */
const OPENERS = /[\\`[<&]/;

/** The visible text of one paragraph, heading, row or block of HTML, without the marks of lines. */
export function inlineText(text: string, reading: "text" | "question" | "html"): string {
  if (!OPENERS.test(text)) return reading === "html" ? text : wordMarksRemoved(text);
  if (text.length <= STRETCH_UNITS_MAX) return stretchText(text, reading);
  let read = "";
  for (let start = 0; start < text.length; ) {
    const end = stretchEnd(text, start);
    read += stretchText(text.slice(start, end), reading);
    start = end;
  }
  return read;
}

/**
 * The end of a stretch: behind the last line or sentence that fits, where links are seldom split; else behind the last word; else
 * between two characters.
 */
function stretchEnd(text: string, start: number): number {
  const limit = start + STRETCH_UNITS_MAX;
  if (limit >= text.length) return text.length;
  let wordEnd = 0;
  for (let at = limit; at > start + STRETCH_UNITS_MAX / 2; at--) {
    const code = text.charCodeAt(at - 1);
    if (code === 10 || (code === 32 && ".!?".includes(text.charAt(at - 2)))) return at;
    if (code === 32 && wordEnd === 0) wordEnd = at;
  }
  if (wordEnd > 0) return wordEnd;
  const before = text.charCodeAt(limit - 1);
  return before >= 0xd800 && before <= 0xdbff ? limit - 1 : limit;
}

function stretchText(text: string, reading: "text" | "question" | "html"): string {
  return textOf(inlineTokens(text, reading), reading);
}

/** The parser's tokens of a text of at most 2,048 UTF-16 units, without the marks of lines. */
export function inlineTokens(text: string, reading: "text" | "question" | "html"): readonly Token[] {
  const tokens: Token[] = [];
  const parser = reading === "html" ? html : hasManyBrackets(text) ? withoutLinks[reading] : withLinks[reading];
  parser.inline.parse(text, parser, {}, tokens);
  return tokens;
}

function hasManyBrackets(text: string): boolean {
  let left = Math.max(BRACKETS_ALWAYS, text.length / UNITS_A_BRACKET_MIN);
  for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) if (--left < 0) return true;
  return false;
}

/** An inline rule: reads text up to the next character that begins something, or ends a link's text. */
const text: InlineRule = (state, silent) => {
  let at = state.pos;
  while (at < state.posMax && !isSpecial(state.src.charCodeAt(at))) at++;
  if (at === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, at);
  state.pos = at;
  return true;
};

/** Whether a character is one of ! & < [ \ ] or a backtick. */
function isSpecial(code: number): boolean {
  return code === 33 || code === 38 || code === 60 || code === 91 || code === 92 || code === 93 || code === 96;
}

/** An inline rule for `[text][label]`. The definition of the label may be missing, since the text may be cut from a document. */
const reference: InlineRule = (state, silent) => {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== 91) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, pos, true);
  if (labelEnd < 0 || src.charCodeAt(labelEnd + 1) !== 91) return false;
  const end = src.indexOf("]", labelEnd + 2);
  if (end < 0 || end >= posMax) return false;
  if (!silent) {
    state.pos = pos + 1;
    state.posMax = labelEnd;
    state.md.inline.tokenize(state);
  }
  state.pos = end + 1;
  state.posMax = posMax;
  return true;
};

/** An inline rule for tags in a block of HTML: as in a browser, a tag ends at `>`, with any attributes. */
const tag: InlineRule = (state, silent) => {
  const { src, pos, posMax } = state;
  const isTag = src.charCodeAt(pos) === 60 && isLetterOrDigit(src.charCodeAt(src[pos + 1] === "/" ? pos + 2 : pos + 1));
  const end = isTag ? src.indexOf(">", pos) : -1;
  if (end < 0 || end >= posMax) return false;
  if (!silent) state.push("html_inline", "", 0).content = src.slice(pos, end + 1);
  state.pos = end + 1;
  return true;
};

function parserOf(rules: readonly string[], readsHtml: boolean): Parser {
  const parser = new MarkdownIt("default", { html: readsHtml });
  // Targets of links are not shown, so they are not validated.
  parser.validateLink = () => true;
  parser.normalizeLink = (url) => url;
  parser.normalizeLinkText = (url) => url;
  parser.inline.ruler.at("text", text);
  parser.inline.ruler.after("link", "reference", reference);
  parser.inline.ruler.after("html_inline", "tag", tag);
  parser.inline.ruler.enableOnly(["text", ...rules]);
  // Marks of emphasis are not paired, since the text may have only one of two marks.
  parser.inline.ruler2.enableOnly([]);
  return parser;
}

const MARKS = ["escape", "backticks", "autolink", "entity", "html_inline"];
const LINKS = [...MARKS, "link", "image"];
/** In a question, text between brackets is no label, since its words would be lost. */
const withLinks = { text: parserOf([...LINKS, "reference"], true), question: parserOf(LINKS, false) };
const withoutLinks = { text: parserOf(MARKS, true), question: parserOf(MARKS, false) };
const html = parserOf(["entity", "html_inline", "tag"], true);

/** Tags that do not separate words. */
const WITHIN_WORDS = new Set("b i em strong u s del ins mark small font span sub wbr".split(" "));
/** Elements whose content is not shown. */
const HIDDEN = new Set(["script", "style", "template"]);

function textOf(tokens: readonly Token[], reading: "text" | "question" | "html"): string {
  let read = "";
  /** Offset of the open hidden element; -1 if none is open. */
  let hiddenFrom = -1;
  /** An address between angle brackets, and a block of HTML, have no marks. */
  let isLiteral = reading === "html";
  for (const token of tokens) {
    switch (token.type) {
      case "link_open":
      case "link_close":
        if (token.markup === "autolink") isLiteral = token.type === "link_open";
        break;
      case "text":
        read += isLiteral ? token.content : wordMarksRemoved(token.content);
        break;
      case "text_special":
        // A question about `&nbsp;` is not about a space.
        read += reading === "question" && token.content.trim() === "" ? token.markup : token.content;
        break;
      case "code_inline":
        read += token.content;
        break;
      case "image":
        read += textOf(token.children ?? [], reading);
        break;
      case "hardbreak":
        read += "\n";
        break;
      case "html_inline": {
        const name = tagName(token.content);
        if (HIDDEN.has(name)) {
          const isClosing = token.content.startsWith("</");
          if (isClosing && hiddenFrom >= 0) read = read.slice(0, hiddenFrom);
          hiddenFrom = isClosing ? -1 : hiddenFrom >= 0 ? hiddenFrom : read.length;
        }
        if (!WITHIN_WORDS.has(name)) read += " ";
        break;
      }
    }
  }
  return read;
}

/** The name of a tag, in lower case; empty for a comment. */
function tagName(tag: string): string {
  const start = tag.startsWith("</") ? 2 : 1;
  let end = start;
  while (isLetterOrDigit(tag.charCodeAt(end))) end++;
  return tag.slice(start, end).toLowerCase();
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
}
