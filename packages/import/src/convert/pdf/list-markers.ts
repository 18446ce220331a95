import type { Line } from "./lines.ts";

const BULLET = /^[•‣◦▪▫●○■□◆◇∙⁃➢➤►▸✓✔❖–—*·-](?:\s|$)/u;
/** Bullets that no sentence begins with: they need no space after them. */
const SURE_BULLET = /^[•‣◦▪●■◆∙⁃➢➤►▸❖]/u;
const NUMBER = /^(?:\(?\d{1,3}[.)]|\[\d{1,3}\])(?:\s|$)/;
const LETTER = /^(?:\([a-zA-Z]\)|\([ivx]{1,5}\)|[a-zA-Z][.)]|[ivx]{2,5}[.)])(?:\s|$)/;
const MARKER_CHARACTERS_MAX = 8;

/** Returns the marker of a list item; undefined for other lines. A letter may be an initial, so the next line must be indented to the text after it. */
export function listMarker(line: Line, next: Line | undefined): string | undefined {
  const text = line.text.slice(0, MARKER_CHARACTERS_MAX);
  const sure = SURE_BULLET.exec(text)?.[0];
  if (sure !== undefined) return sure;
  const bullet = BULLET.exec(text)?.[0];
  if (bullet !== undefined) return line.text.length > bullet.length ? bullet.trim() : undefined;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined) return line.text.length > number.length ? number.trim() : undefined;
  const letter = LETTER.exec(text)?.[0];
  if (letter === undefined || line.text.length <= letter.length) return undefined;
  const hangs = next !== undefined && next.x0 > line.x0 + 0.8 * line.size && next.y - line.y < 2 * line.size;
  return hangs || letter.startsWith("(") ? letter.trim() : undefined;
}
