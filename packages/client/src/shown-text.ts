/** Longer than any message of the service. */
const CHARACTERS_MAX = 4_096;
/** Controls that break a line or set a tab. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;
/** C0, DEL, C1, controls of text direction, and invisible tags. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a server's text safe for an error: one line without control characters, which could steer a terminal or reverse the text beside them. Each becomes
 * U+FFFD. Cut at 4,096 characters.
 */
export function shown(text: string): string {
  const cut =
    text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return cut.replace(BREAKS, " ").replace(UNSAFE, "\ufffd");
}
