import { isAlphanumeric, isDigit, isLower, isUpper, type Span } from "./mask-spans.ts";

/** How keys of well-known services begin, in lower case. */
const PREFIXES = [
  "lore_",
  "sk-",
  "sk_",
  "pk_",
  "rk_",
  "whsec_",
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "xoxa-",
  "xoxb-",
  "xoxp-",
  "xoxr-",
  "xoxs-",
  "xapp-",
  "akia",
  "asia",
  "aiza",
  "ya29.",
  "eyj",
  "npm_",
  "pypi-",
  "hf_",
  "dop_v1_",
  "sg.",
  "shpat_",
  "age-secret-key-",
  "ssh-rsa",
];
/** The fewest characters of such a key behind its beginning, and with a digit among them. */
const [REST_MIN, REST_WITH_DIGIT_MIN] = [16, 8];
/** Bytes as hex digits, and other characters that look random: the fewest of a run that is masked. */
const [HEX_MIN, RANDOM_MIN] = [24, 20];

const BEARER = /(?<![\p{L}\p{N}])(?:bearer|basic)[ :]{1,3}/giu;
/** `postgres://admin:secret@db` */
const IN_ADDRESS = /:\/\/[^\s/@:]{0,64}:([^\s/@]{1,128})(?=@)/gu;
/** Words before a secret. `pass` and `pw` are those only with a sign behind them: "boarding pass 2024". */
const SECRET =
  /(?<![\p{L}\p{N}])(?:passwor[dt]|passphrase|passcode|passwd|(?:pass|pw)(?=["'`]?\s{0,2}(?:[:=]|->))|mot de passe|contraseña|kennwort|pwd|pin|puk|tan|cvc|cvv|secret|geheimnis|token|api[ _-]?key|apikey|api[ _-]?schlüssel|access[ _-]?key|x-api-key|client[ _-]?secret|session[ _-]?id)(?![\p{L}\p{N}])/giu;
const SAYS = "(?:\\s{1,2}(?:is|ist|lautet|war|was))?";
const ASSIGNED = new RegExp(`^["'\`]?${SAYS}\\s{0,2}(?:[:=]{1,2}>?|->)\\s{0,4}["'\`]?`, "iu");
const SAID = new RegExp(`^${SAYS}\\s{1,2}(?:-\\s{1,2})?["'\`(]?`, "iu");
const SIGNS_UNITS = 24;
/** The longest secret in quotes. */
const QUOTED_MAX = 128;
const PEM = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/gu;
const PEM_END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/u;

/** The keys and tokens of a text: by their beginning, by the word before them, and long runs that look random. */
export function keySpans(text: string): Span[] {
  const spans: Span[] = [];
  let covered = 0;
  // What lies in a key is not read again: time stays linear.
  const add = (start: number, end: number): void => {
    covered = Math.max(covered, end);
    spans.push({ start, end, kind: "key" });
  };
  for (const { index } of text.matchAll(PEM)) {
    if (index < covered) continue;
    const end = PEM_END.exec(text.slice(index));
    add(index, end === null ? text.length : index + end.index + end[0].length);
  }
  covered = 0;
  for (const { index, 0: word } of text.matchAll(BEARER)) {
    const start = index + word.length;
    const end = start < covered ? start : tokenEnd(text, start);
    const token = text.slice(start, end);
    // "basic telecommunications" is no token.
    if (isLongToken(token) || (/^bearer/iu.test(word) && /[a-z\d]{20}/iu.test(token))) add(start, end);
  }
  for (const { index, 0: whole, 1: secret = "" } of text.matchAll(IN_ADDRESS))
    spans.push({ start: index + whole.length - secret.length, end: index + whole.length, kind: "key" });
  covered = 0;
  for (const { index, 0: word } of text.matchAll(SECRET)) {
    if (index < covered) continue;
    const [start, end] = secretAfter(text, index + word.length, /^cv/iu.test(word) ? 3 : 4);
    if (end > start) add(start, end);
  }
  covered = 0;
  for (const [start, end] of runsOf(text)) {
    if (start < covered) continue;
    const run = text.slice(start, end);
    const begun = begunBy(text, start, end);
    if (begun >= 0) add(start + begun, tokenEnd(text, start + begun));
    else if (isRandom(run)) add(start, end);
  }
  return spans;
}

/**
 * The secret behind a word such as "password": what `:` or `=` gives it, or a word with a digit behind "is" or a space.
 * @param digitsMin the fewest digits of a secret of digits alone
 */
function secretAfter(text: string, from: number, digitsMin: number): readonly [start: number, end: number] {
  const rest = text.slice(from, from + SIGNS_UNITS);
  const assigned = ASSIGNED.exec(rest)?.[0].length;
  const start = from + (assigned ?? SAID.exec(rest)?.[0].length ?? 0);
  if (start === from) return [start, start];
  const end = quoteEnd(text, start) ?? wordEnd(text, start);
  const word = text.slice(start, end);
  if (assigned !== undefined) return [start, end];
  // "password reset 2" and "Passwort vergessen" say no secret.
  return /\d/u.test(word) && (word.length >= 6 || (word.length >= digitsMin && /^\d+$/u.test(word)))
    ? [start, end]
    : [start, start];
}

/** Where the quote that begins before a secret ends; undefined if none begins there or ends soon. */
function quoteEnd(text: string, from: number): number | undefined {
  const quote = text.charAt(from - 1);
  if (!`"'\``.includes(quote)) return undefined;
  const end = text.slice(from, from + QUOTED_MAX).indexOf(quote);
  return end > 0 ? from + end : undefined;
}

const END_OF_WORD = /\s/gu;

/** The end of a secret without quotes: signs may stand in it, but not at its end. */
function wordEnd(text: string, from: number): number {
  END_OF_WORD.lastIndex = from;
  let end = END_OF_WORD.exec(text)?.index ?? text.length;
  while (end > from && `"'\`,;)`.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The end of a token: letters, digits and the signs of base64 and JWT. */
function tokenEnd(text: string, from: number, max = text.length): number {
  let end = from;
  while (end < max && (isAlphanumeric(text.charCodeAt(end)) || "+/=_-.~".includes(text.charAt(end)))) end += 1;
  // The dot of a sentence is no part of it.
  while (end > from && text[end - 1] === ".") end -= 1;
  return end;
}

/** The runs of letters, digits and the signs of base64, of at least the shortest key. */
function* runsOf(text: string): Generator<readonly [start: number, end: number]> {
  for (let at = 0; at < text.length; at++) {
    const start = at;
    while (at < text.length && (isAlphanumeric(text.charCodeAt(at)) || "+/=_-".includes(text.charAt(at)))) at += 1;
    if (at - start >= "sg".length) yield [start, at];
  }
}

/** Where in a run a key of a well-known service begins; -1 if none does. */
function begunBy(text: string, start: number, end: number): number {
  const run = text.slice(start, end);
  const lower = run.toLowerCase();
  for (const prefix of PREFIXES) {
    const isDotted = prefix.endsWith(".");
    // A run ends at a dot, so that the key is the run and what stands behind the dot.
    const at = isDotted && text[end] === "." ? `${lower}.`.lastIndexOf(prefix) : lower.indexOf(prefix);
    if (at < 0 || (at > 0 && isAlphanumeric(run.charCodeAt(at - 1)))) continue;
    const from = start + at + prefix.length;
    const rest = text.slice(from, isDotted ? tokenEnd(text, from, Math.min(text.length, from + DOTTED_MAX)) : end);
    // `sk-` before letters alone is a key: no ordinary word has 16 of them. Another prefix may begin a word.
    if (isLongToken(rest) || (/[-_.]$/u.test(prefix) && /[a-z\d]{16}/iu.test(rest))) return at;
  }
  return -1;
}

/** Characters behind a dot that tell whether they are a key. */
const DOTTED_MAX = 64;

/** Whether a token is long enough for a secret. "Bearer authentication" is none. */
function isLongToken(token: string): boolean {
  return token.length >= REST_MIN
    ? /[\d_+/=A-Z]/u.test(token)
    : token.length >= REST_WITH_DIGIT_MIN && /\d/u.test(token);
}

/** Whether a run looks like bytes of chance: hex digits, or letters and digits in a mixture that no words have. */
function isRandom(run: string): boolean {
  if (run.length < RANDOM_MIN) return false;
  const signs = { digits: 0, upper: 0, lower: 0, hex: 0, others: 0, mixes: 0, changes: 0 };
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const now = kindOf(run.charCodeAt(at));
    signs.digits += now === 1 ? 1 : 0;
    signs.upper += now === 2 ? 1 : 0;
    signs.lower += now === 3 ? 1 : 0;
    signs.others += now === 0 ? 1 : 0;
    signs.hex += now === 1 || "abcdefABCDEF".includes(run.charAt(at)) ? 1 : 0;
    if (now !== before && now !== 0 && before !== 0) {
      signs.changes += 1;
      if (now === 1 || before === 1) signs.mixes += 1;
    }
    before = now;
  }
  const { digits, upper, lower, hex, others, mixes, changes } = signs;
  const letters = upper + lower;
  // A UUID has dashes between its hex digits.
  if (hex >= HEX_MIN && hex + others === run.length && others <= 4) return letters > 0 || hex >= 32;
  const isMixed = digits > 0 && upper > 0 && lower > 0;
  if (mixes >= 5 || (isMixed && mixes >= 2 && changes >= (run.length - others) * 0.4)) return true;
  // A secret of AWS has 40 characters of base64.
  return isMixed && run.length === 40 && /^[a-z\d+/]+$/iu.test(run) && changes >= 10;
}

/** 1 of a digit, 2 of an upper-case letter, 3 of a lower-case letter, 0 of a sign. */
function kindOf(code: number): 0 | 1 | 2 | 3 {
  if (isDigit(code)) return 1;
  if (isUpper(code)) return 2;
  return isLower(code) ? 3 : 0;
}
