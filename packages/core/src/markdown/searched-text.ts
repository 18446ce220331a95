import { plainText, type Reading } from "./plain-text.ts";

/** Symbols between white space. `&`, `!` and `:` are punctuation, of which operators have some. */
const LONE_SYMBOLS = /(?<!\S)[\p{S}&!:]+(?!\S)/gu;
/** Some of them are marks elsewhere: `||` parts cells, `~` strikes out, `>` quotes. */
const MAY_BE_MARKS = /^>+=|[|~`]/m;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * The text whose words are searched: {@link plainText}, given as `plain` where it is known, and before it symbols that it takes for marks though they stand as words of
 * their own, such as `||`, `~` and a lone backtick. A single `|` is no word: it parts the cells of a row. In a question of symbols alone none is a mark.
 * Encoders are given the plain text. Takes linear time.
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
