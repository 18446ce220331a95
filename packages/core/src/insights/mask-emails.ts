import { isInWord, type Span } from "./mask-spans.ts";

/** Signs of a local part beside letters and digits. */
const LOCAL = new Set("!#$%&'*+/=?^_`{|}~.-");
/** Ways to write the sign: `jo (at) example.com`. Each has a bracket, since the word alone is in many sentences. */
const WRITTEN_AT = /%40|&#64;|&commat;| {0,2}[([{<] {0,2}(?:at|ät|a|@) {0,2}[)\]}>] {0,2}/giu;
/** `(a)` counts items of lists too. So it is a sign only before a domain of these. */
const LIST_ITEM = /[([{<] {0,2}a {0,2}[)\]}>]/iu;
const COMMON_DOMAIN = /\.(?:com|net|org|info|biz|eu|de|at|ch|uk|fr|it|es|nl|be|pl|dk|se|us|ca|au|io|me)$/iu;
const WRITTEN_DOT = /^ {0,2}[([{<] {0,2}(?:dot|punkt|\.) {0,2}[)\]}>] {0,2}/iu;
/** `jo at mail.example dot com` */
const IN_WORDS =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}._+-]{1,64} (?:at|ät) [\p{L}\p{N}.-]{1,63} (?:(?:dot|punkt) [\p{L}\p{N}-]{1,63} ){0,3}(?:dot|punkt) [\p{L}]{2,24}/giu;
/** A sign without which no address is written in words. */
const WRITTEN = /[[({<%&]| dot | punkt /iu;
/** `jo@[192.168.0.1]` */
const ADDRESS_IN_BRACKETS = /^\[(?:ipv6:)?[\d.:a-f]+\]/iu;
/** The longest domain, and the longest label before it. A longer one is no address. */
const DOMAIN_MAX = 255;
const LOCAL_MAX = 128;

/** The e-mail addresses of a text, also those with `(at)` for the sign. */
export function emailSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1))
    add(spans, text, at - spacesBefore(text, at), at + 1 + spacesAfter(text, at + 1));
  if (!WRITTEN.test(text)) return spans;
  for (const { index, 0: sign } of text.matchAll(WRITTEN_AT)) add(spans, text, index, index + sign.length);
  for (const { index, 0: whole } of text.matchAll(IN_WORDS))
    spans.push({ start: index, end: index + whole.length, kind: "email" });
  return spans;
}

function add(spans: Span[], text: string, signStart: number, signEnd: number): void {
  const start = localStart(text, signStart);
  const end = domainEnd(text, signEnd);
  if (start === signStart || end === signEnd) return;
  if (LIST_ITEM.test(text.slice(signStart, signEnd)) && !COMMON_DOMAIN.test(text.slice(signEnd, end))) return;
  spans.push({ start, end, kind: "email" });
}

const SPACES_MAX = 2;

function spacesBefore(text: string, at: number): number {
  let count = 0;
  while (count < SPACES_MAX && text[at - count - 1] === " ") count += 1;
  return count;
}

/** Spaces, or the end of a line. */
function spacesAfter(text: string, at: number): number {
  let count = 0;
  while (count < SPACES_MAX && " \r\n".includes(text.charAt(at + count)) && at + count < text.length) count += 1;
  return count;
}

function localStart(text: string, signStart: number): number {
  const least = Math.max(0, signStart - LOCAL_MAX);
  if (text[signStart - 1] === '"') {
    const quote = text.lastIndexOf('"', signStart - 2);
    return quote >= least ? quote : signStart;
  }
  let start = signStart;
  while (start > least && (isInWord(text, start - 1) || LOCAL.has(text.charAt(start - 1)))) start -= 1;
  return start;
}

/** The end of the domain that begins here; the beginning itself if there is none. */
function domainEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + DOMAIN_MAX);
  if (text[from] === "[") return from + (ADDRESS_IN_BRACKETS.exec(text.slice(from, from + 64))?.[0].length ?? 0);
  let [end, lastDot] = [from, -1];
  for (let at = from; at < most; ) {
    if (isInWord(text, at) || (text[at] === "-" && at > from)) {
      at += 1;
      end = at;
      continue;
    }
    const dot = text[at] === "." ? 1 : (WRITTEN_DOT.exec(text.slice(at, at + 16))?.[0].length ?? 0);
    if (dot === 0 || !isInWord(text, at + dot)) break;
    lastDot = at + dot - 1;
    at += dot;
  }
  // The last label is a word: `react@18.2.0` is a version.
  const label = text.slice(lastDot + 1, end);
  return lastDot > 0 && /^[\p{L}\p{M}][\p{L}\p{M}\p{N}-]+$/u.test(label) ? end : from;
}
