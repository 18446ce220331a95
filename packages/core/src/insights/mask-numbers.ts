import { isDigit, isInWord, type Span } from "./mask-spans.ts";

/** Digits of a card number. */
const [CARD_MIN, CARD_MAX] = [13, 19];
/** Digits of a phone number with its country (E.164). */
const [PHONE_MIN, PHONE_MAX] = [7, 15];
/** The fewest if a space stands between `+` or `00` and the country, as in `3 + 49`. */
const PHONE_APART_MIN = 9;
/** Digits of a phone number with its area code, and the fewest of a number that a word announces. */
const [TRUNK_MAX, AFTER_WORD_MIN] = [13, 5];
/** Signs between the groups of one number, at most two of them: `(030) 123-456`, `0170 / 123456`. */
const BETWEEN = new Set(" \t-./()_");
const BETWEEN_MAX = 3;

/** Digits that stand together, with the place where they stand. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

/** The numbers of a text: lists of groups with at most {@link BETWEEN_MAX} signs between two of them. */
function* numbersIn(text: string): Generator<readonly Group[]> {
  let groups: Group[] = [];
  for (let at = 0; at < text.length; ) {
    if (!isDigit(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    const last = groups.at(-1);
    if (last !== undefined && !isOneNumber(text, last.end, at)) {
      yield groups;
      groups = [];
    }
    groups.push({ start: at, end, digits: text.slice(at, end) });
    at = end;
  }
  if (groups.length > 0) yield groups;
}

function isOneNumber(text: string, from: number, to: number): boolean {
  if (to - from > BETWEEN_MAX) return false;
  for (let at = from; at < to; at++) if (!BETWEEN.has(text.charAt(at))) return false;
  return true;
}

/**
 * A card number as it is printed, with anything between its groups: spaces, commas, the ends of lines. It begins as those of the card networks do, so that
 * lists of years are none.
 */
const PRINTED_CARD =
  /(?<!\d)(?=((?:2[2-7]|3\d|4\d|5\d|6\d)\d{2}[\s,*:;|/._-]{1,8}(?:\d{4}[\s,*:;|/._-]{1,8}\d{4}[\s,*:;|/._-]{1,8}\d{4}|\d{6}[\s,*:;|/._-]{1,8}\d{4,5})(?!\d)))/gu;

/** The card numbers of a text: 13 to 19 digits of whole groups whose check digit is right (Luhn, ISO/IEC 7812). */
export function cardSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index, 1: printed = "" } of text.matchAll(PRINTED_CARD))
    if (isLuhn(printed.replace(/\D/gu, ""))) spans.push({ start: index, end: index + printed.length, kind: "card" });
  for (const groups of numbersIn(text)) {
    for (let first = 0; first < groups.length; first++) {
      const last = cardFrom(groups, first);
      const [start, end] = [groups[first]?.start, groups[last]?.end];
      if (start === undefined || end === undefined) continue;
      spans.push({ start, end, kind: "card" });
      first = last;
    }
  }
  return spans;
}

/** Index of the last group of the card number that begins with a group; -1 if none does. */
function cardFrom(groups: readonly Group[], first: number): number {
  let digits = "";
  let found = -1;
  for (let last = first; last < groups.length && digits.length < CARD_MAX; last++) {
    digits += groups[last]?.digits ?? "";
    if (digits.length >= CARD_MIN && digits.length <= CARD_MAX && isLuhn(digits)) found = last;
  }
  return found;
}

/** Whether the check digit of a number is right, and it does not consist of zeros. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let fromEnd = 0; fromEnd < digits.length; fromEnd++) {
    const digit = Number(digits[digits.length - 1 - fromEnd]);
    const doubled = fromEnd % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum > 0 && sum % 10 === 0;
}

/** Words after which any number is that of a phone. */
const PHONE_WORD =
  /(?<![\p{L}\p{N}])(?:(?:tel|telefon|mobil|mobiltelefon|handy|fax|ruf|rückruf|festnetz)(?:nr|nummer)?|telephone|phone|mobile|cell|whatsapp|sms|durchwahl|erreichen|erreichst|erreichbar|call|reach|ring|text|ruf|ruft|rufen|anrufen|my number|meine nummer)(?![\p{L}\p{N}])/giu;
/** What may stand between such a word and the number. */
const FILLER =
  /^(?:[^\p{L}\p{N}+(]{0,3}(?:me|my|mich|us|uns|sie|du|no|nr|nummer|number|is|ist|lautet|under|unter|der|die|at|on|back|bitte|an|please)(?![\p{L}\p{N}])){0,6}[^\p{L}\p{N}+(]{0,3}/iu;
const FILLER_UNITS = 48;

/** The phone numbers of a text. Numbers without a country, an area code or a word such as "phone" before them are left as they are. */
export function phoneSpans(text: string): Span[] {
  const spans: Span[] = [];
  const announced = announcedIn(text);
  for (const groups of numbersIn(text)) {
    for (let first = 0; first < groups.length; first++) {
      const last = phoneFrom(text, groups, first, announced);
      const [begin, end] = [groups[first], groups[last]?.end];
      if (begin === undefined || end === undefined) continue;
      spans.push({ start: phoneStart(text, begin.start), end, kind: "phone" });
      first = last;
    }
  }
  return spans;
}

/** Where a phone number begins whose first digit is here: with its sign and its bracket. */
function phoneStart(text: string, digit: number): number {
  let start = /(?<!\d ?)\+ $/u.test(text.slice(Math.max(0, digit - 4), digit)) ? digit - 2 : digit;
  while (text[start - 1] === "(" || text[start - 1] === "+") start -= 1;
  return start;
}

/** Index of the last group of the phone number that begins with a group; -1 if none does. */
function phoneFrom(text: string, groups: readonly Group[], first: number, announced: ReadonlySet<number>): number {
  const group = groups[first];
  if (group === undefined || isInWord(text, group.start - 1)) return -1;
  const { digits, start } = group;
  const begin = phoneStart(text, start);
  const hasPlus = text.slice(begin, start).includes("+") && !isInWord(text, begin - 1);
  // `10:00` is a time.
  const zerosApart = digits === "00" && !":.,".includes(text.charAt(start - 1) || " ");
  // In `+ 49 170 1234567` and `00 49 170 1234567`, the country is a group of its own.
  const country = zerosApart ? groups[first + 1] : hasPlus && text[start - 1] === " " ? group : undefined;
  const isApart = country !== undefined && /^[1-9]\d{0,2}$/u.test(country.digits);
  if (isApart || (hasPlus && country === undefined) || /^00[1-9]/u.test(digits)) {
    // The zeros are no digits of the number.
    const zeros = hasPlus ? 0 : 2;
    const last = lastWithin(groups, first, PHONE_MAX + zeros);
    const count = countOf(groups, first, last) - zeros;
    if (count >= (isApart ? PHONE_APART_MIN : PHONE_MIN) && count <= PHONE_MAX) return last;
  }
  if (announced.has(begin)) {
    const last = lastWithin(groups, first, PHONE_MAX);
    if (countOf(groups, first, last) >= AFTER_WORD_MIN) return last;
  }
  return /^0[1-9]/u.test(digits) ? withTrunk(groups, first) : northAmerican(text, groups, first);
}

/** A number with its area code: `(030) 123456`, `0170 1234567`, `01701234567`, `020 7946 0958`, `01 23 45 67 89`. */
function withTrunk(groups: readonly Group[], first: number): number {
  const last = lastWithin(groups, first, TRUNK_MAX);
  const sizes = groups.slice(first, last + 1).map(({ digits }) => digits.length);
  const [area = 0] = sizes;
  if (area >= 9 && area <= TRUNK_MAX) return last;
  if (sizes.length >= 5 && sizes.slice(0, 5).every((size) => size === 2)) return first + 4;
  return area >= 3 && area <= 6 && countOf(groups, first, last) >= PHONE_MIN ? last : -1;
}

/** `(555) 123-4567`, `1-800-555-0199`: groups of 3, 3 and 4 digits, the first one not beginning with 0 or 1. In `(555)1234567` two are one. */
function northAmerican(text: string, groups: readonly Group[], first: number): number {
  const area = groups[first]?.digits === "1" ? first + 1 : first;
  const [a, b, c] = groups.slice(area, area + 3);
  if (a !== undefined && b !== undefined && /^\([2-9]\d{2}\) ?\d{7}$/u.test(text.slice(a.start - 1, b.end)))
    return area + 1;
  if (a === undefined || b === undefined || c === undefined) return -1;
  const isForm = /^[2-9]\d{2}$/u.test(a.digits) && /^\d{3}$/u.test(b.digits) && /^\d{4}$/u.test(c.digits);
  return isForm && !isInWord(text, c.end) ? area + 2 : -1;
}

/** Where numbers begin that a word such as "phone" announces. */
function announcedIn(text: string): ReadonlySet<number> {
  const begins = new Set<number>();
  for (const { index, 0: word } of text.matchAll(PHONE_WORD)) {
    const from = index + word.length;
    begins.add(from + (FILLER.exec(text.slice(from, from + FILLER_UNITS))?.[0].length ?? 0));
  }
  return begins;
}

/** Index of the last group with which a number that begins at `first` has at most `max` digits. At least `first`. */
function lastWithin(groups: readonly Group[], first: number, max: number): number {
  let [last, count] = [first, groups[first]?.digits.length ?? 0];
  for (let next = first + 1; next < groups.length; next++) {
    count += groups[next]?.digits.length ?? 0;
    if (count > max) break;
    last = next;
  }
  return last;
}

function countOf(groups: readonly Group[], first: number, last: number): number {
  return groups.slice(first, last + 1).reduce((sum, { digits }) => sum + digits.length, 0);
}
