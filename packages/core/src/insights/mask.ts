import { createHash } from "node:crypto";
import { accountSpans } from "./mask-accounts.ts";
import { emailSpans } from "./mask-emails.ts";
import { keySpans } from "./mask-keys.ts";
import { cardSpans, phoneSpans } from "./mask-numbers.ts";
import { replaced, type Span } from "./mask-spans.ts";

/** Characters that are not seen. They could split what is masked. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Masks e-mail addresses, phone, card and account numbers, and keys in a text. Time is linear in its length.
 * Each is found in a copy of the text in which digits, spaces and dashes of all kinds are ASCII.
 * @example masked("Mail jo@example.com about order 4711") === "Mail [e-mail] about order 4711"
 */
export function masked(text: string): string {
  const seen = text.replace(UNSEEN, "");
  const plain = plainForm(seen);
  return replaced(seen, [...keySpans(plain), ...personalSpans(plain)]);
}

/**
 * The id of a request as a question log keeps it. Ids look like keys, so keys stay; what belongs to a person is masked. The first 20 bits of a digest tell
 * masked ids apart: too few to find what was masked.
 */
export function maskedId(id: string): string {
  const spans = UUID.test(id) ? [] : personalSpans(plainForm(id));
  if (spans.length === 0) return id;
  const digest = createHash("sha256").update(id).digest("hex").slice(0, ID_DIGEST_DIGITS);
  return `${replaced(id, spans)}#${digest}`;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ID_DIGEST_DIGITS = 5;

function personalSpans(plain: string): readonly Span[] {
  // Most questions have no number.
  if (!FIVE_DIGITS.test(plain)) return emailSpans(plain);
  return [...emailSpans(plain), ...accountSpans(plain), ...cardSpans(plain), ...phoneSpans(plain)];
}

/** The fewest digits of any number that is masked. */
const FIVE_DIGITS = /^(?:\D*\d){5}/u;

/** First digits of the scripts whose digits people type. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
const NOT_ASCII = /[^\p{ASCII}]/gu;
const SPACE = /\p{Zs}/u;
const DASH = /\p{Pd}|\u2212/u;

/** A text of the same length whose digits, spaces, dashes and signs of the full width are ASCII. */
function plainForm(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    if (character.length > 1) return character;
    const code = character.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    if (zero !== undefined) return String(code - zero);
    // The full-width forms of ASCII: `＠`, `Ａ`.
    if (code > 0xff00 && code < 0xff5f) return String.fromCharCode(code - 0xfee0);
    if (SPACE.test(character)) return " ";
    return DASH.test(character) ? "-" : character;
  });
}
