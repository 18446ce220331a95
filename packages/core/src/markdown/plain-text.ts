/** Markdown → the words a reader sees: marks, link targets and tags are gone, link texts and code stay. */

const FENCE_LINE = /^[ \t]*(?:`{3,}|~{3,})[^\n]*$/gm;
const TABLE_RULE_LINE = /^[ \t>]*\|?[ \t]*:?-{2,}:?[ \t|:-]*$/gm;
const UNDERLINE = /^[ \t>]*={2,}[ \t]*$/gm;
/** Quotes, list marks and heading marks, in any nesting, at the beginning of a line. A number that ends a line is no mark. */
const LINE_MARKS = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]+\S)|#{1,6}(?=[ \t]|$)))+[ \t]?/gm;
const CLOSING_HEADING_MARKS = /[ \t]#+[ \t]*$/gm;
const CALLOUT = /\[!([A-Za-z]+)\]/g;
const LINK = /!?\[([^[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:[ \t]+["'][^"'\n]*["'])?[ \t]*\)|\[[^[\]]*\])/g;
const COMMENT = /<!--|-->/g;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^<>\s]*|[^<>\s@]+@[^<>\s@]+)>/gi;
const TAG = /<\/?[a-zA-Z][^<>]*>/g;
const STRESS = /(?<!\\)[*~`]+/g;
const UNDERSCORES = /(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
const NAMED_ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["copy", "©"],
  ["reg", "®"],
  ["trade", "™"],
  ["hellip", "…"],
  ["ndash", "–"],
  ["mdash", "—"],
]);

/** The text of `markdown` without its marks. Line breaks stay. Takes linear time. */
export function plainText(markdown: string): string {
  let text = markdown;
  // Most text has few marks: looking for the one character that a rule needs is much cheaper than running the rule.
  if (text.includes("```") || text.includes("~~~")) text = text.replace(FENCE_LINE, "");
  if (text.includes("--")) text = text.replace(TABLE_RULE_LINE, "");
  if (text.includes("==")) text = text.replace(UNDERLINE, "");
  text = text.replace(LINE_MARKS, "");
  if (text.includes("#")) text = text.replace(CLOSING_HEADING_MARKS, "");
  if (text.includes("[")) text = text.replace(CALLOUT, "$1").replace(LINK, "$1").replace(LINK, "$1");
  if (text.includes("<")) text = text.replace(COMMENT, " ").replace(AUTOLINK, "$1").replace(TAG, " ");
  if (text.includes("|")) text = text.replaceAll("|", " ");
  text = text.replace(STRESS, "");
  if (text.includes("_")) text = text.replace(UNDERSCORES, "");
  if (text.includes("\\")) text = text.replace(ESCAPE, "$1");
  if (text.includes("&")) text = text.replace(ENTITY, decodeEntity);
  return text;
}

function decodeEntity(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES.get(name.toLowerCase()) ?? whole;
  const code = decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal ?? "", 16);
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : whole;
}
