/** The text of a line range: `line 3` or `lines 3-5`. */
export function linesText(start: number, stop: number): string {
  return start === stop ? `line ${start}` : `lines ${start}-${stop}`;
}
