// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g;

/** Removes invisible characters from a cell's text; its line breaks become `\n`. */
export function cleaned(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\t", " ").replace(CONTROLS, "").trim();
}
