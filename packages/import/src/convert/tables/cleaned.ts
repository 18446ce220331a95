// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g;

/** A cell's text without what cannot be seen; its line breaks are `\n`. */
export function cleaned(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\t", " ").replace(CONTROLS, "").trim();
}
