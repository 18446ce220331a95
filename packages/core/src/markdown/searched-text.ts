import { plainText, type Reading } from "./plain-text.ts";

/** Symbols between white space. `&`, `!` and `:` are punctuation that occurs in operators. */
const LONE_SYMBOLS = /(?<!\S)[\p{S}&!:]+(?!\S)/gu;
/** Symbols that are marks elsewhere: `||` separates cells, `~` strikes out, `>` quotes. */
const MAY_BE_MARKS = /^>+=|[|~`]/m;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * The text that is indexed and searched: {@link plainText}, and before it symbols that it removes as marks although they are separate words,
 * such as `||`, `~` and a lone backtick. A single `|` is no word, since it separates table cells. A question of symbols alone has no marks.
 * Encoders get the plain text. Takes linear time.
 * @param plain the plain text, if it is known
 */
export function searchedText(markdown: string, reading: Reading, plain = plainText(markdown, reading)): string {
  if (plain === markdown || reading === "code" || reading === "html") return plain;
  if (reading === "question" && !LETTER_OR_DIGIT.test(markdown)) return markdown;
  if (!MAY_BE_MARKS.test(markdown)) return plain;
  const kept = new Set(plain.match(LONE_SYMBOLS));
  const missed = (markdown.match(LONE_SYMBOLS) ?? []).filter(
    (symbols) => symbols !== "|" && MAY_BE_MARKS.test(symbols) && !kept.has(symbols),
  );
  return missed.length === 0 ? plain : `${missed.join(" ")} ${plain}`;
}
