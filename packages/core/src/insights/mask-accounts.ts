import { isAlphanumeric, isDigit, isInWord, isLower, isUpper, type Span } from "./mask-spans.ts";

/** The length of an IBAN by its country, as the registry of SWIFT lists them. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 " +
    "GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 " +
    "MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 " +
    "XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Words after which a number is that of an account. */
const ACCOUNT_WORD =
  /(?<![\p{L}\p{N}])(?:konto|kontonr|kontonummer|kto|ktonr|blz|bankleitzahl|depot|depotnummer|account|acct|a\/c|bank account|account number|routing|routing number|sort code|sortcode|iban)(?![\p{L}\p{N}])/giu;
/** What may stand between such a word and its number. */
const FILLER =
  /^(?:[^\p{L}\p{N}]{0,3}(?:no|nr|num|number|nummer|code|is|ist|lautet|mein|my|the|die|der)(?![\p{L}\p{N}])){0,4}[^\p{L}\p{N}]{0,4}/iu;
const FILLER_UNITS = 48;
/** Digits of such a number. */
const [ACCOUNT_MIN, ACCOUNT_MAX] = [5, 34];

/** The account numbers of a text: IBANs, and numbers behind a word such as "account". */
export function accountSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at + 15 <= text.length; at++) {
    const isBegin = !isInWord(text, at - 1) || /iban$/iu.test(text.slice(Math.max(0, at - 4), at));
    const end = isBegin ? ibanEnd(text, at) : at;
    if (end > at) spans.push({ start: at, end, kind: "account" });
  }
  for (const { index, 0: word } of text.matchAll(ACCOUNT_WORD)) {
    const from = index + word.length;
    const start = from + (FILLER.exec(text.slice(from, from + FILLER_UNITS))?.[0].length ?? 0);
    const end = numberEnd(text, start);
    if (end > start) spans.push({ start, end, kind: "account" });
  }
  return spans;
}

/** The end of the IBAN that begins here; the beginning itself if there is none. Its check digits may be wrong: typed ones often are. */
function ibanEnd(text: string, from: number): number {
  const [a, b] = [text.charCodeAt(from), text.charCodeAt(from + 1)];
  if (!(isUpper(a) || isLower(a)) || !(isUpper(b) || isLower(b))) return from;
  const length = IBAN_LENGTHS.get(text.slice(from, from + 2).toUpperCase());
  if (length === undefined) return from;
  let [at, count, digits] = [from, 0, 0];
  while (count < length) {
    const code = text.charCodeAt(at);
    if (isAlphanumeric(code)) {
      if (count >= 2 && count < 4 && !isDigit(code)) return from;
      count += 1;
      digits += isDigit(code) ? 1 : 0;
      at += 1;
    } else {
      const gap = gapAt(text, at);
      if (gap === 0) return from;
      at += gap;
    }
  }
  // Half of it are digits in every country: `is 22 days` begins like an IBAN of Iceland.
  return isInWord(text, at) || digits * 2 < length ? from : at;
}

/** Length of what stands between two groups of an IBAN: one dash or dot, or up to four spaces and line breaks. 0 if no group follows. */
function gapAt(text: string, at: number): number {
  let end = at + 1;
  if (!"-.".includes(text.charAt(at))) {
    end = at;
    while (end < at + 4 && " \t\r\n".includes(text.charAt(end))) end += 1;
  }
  return isAlphanumeric(text.charCodeAt(end)) ? end - at : 0;
}

/** The end of the account number that begins here: digits with single signs between them. */
function numberEnd(text: string, from: number): number {
  let [end, count] = [from, 0];
  for (let at = from; at < text.length && count < ACCOUNT_MAX; at++) {
    if (isDigit(text.charCodeAt(at))) {
      count += 1;
      end = at + 1;
    } else if (at === from || !" -./".includes(text.charAt(at)) || !isDigit(text.charCodeAt(at + 1))) break;
  }
  return count >= ACCOUNT_MIN ? end : from;
}
