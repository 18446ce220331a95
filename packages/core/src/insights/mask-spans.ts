/** The kinds of texts that are masked, with the word that stands for each. */
const MASKS = {
  email: "[e-mail]",
  phone: "[phone]",
  card: "[card]",
  account: "[account]",
  key: "[key]",
} as const;

/** A range of a text to mask, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: keyof typeof MASKS;
}

/** A text with all spans replaced by their masks. Of spans that overlap, the one that begins first names the mask, and all are covered. */
export function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  let [masked, at] = ["", 0];
  for (const { start, end, kind } of sorted) {
    if (start >= at) masked += text.slice(at, start) + MASKS[kind];
    at = Math.max(at, end);
  }
  return masked + text.slice(at);
}

const [ZERO, UPPER_A, LOWER_A] = [48, 65, 97];

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

export function isUpper(code: number): boolean {
  return code >= UPPER_A && code <= UPPER_A + 25;
}

export function isLower(code: number): boolean {
  return code >= LOWER_A && code <= LOWER_A + 25;
}

/** Whether a code is an ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || isUpper(code) || isLower(code);
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether the character at an index is a letter or a digit of any script. False outside of the text. */
export function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isAlphanumeric(code) || (code > 127 && WORD_CHARACTER.test(text.charAt(at)));
}
