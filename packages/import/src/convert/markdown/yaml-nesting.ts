import { JSON_DEPTH_MAX } from "@loredex/core";

/** The YAML parser reads nested values recursively: some thousand levels end the process. */
const INDENT_UNITS_MAX = 8 * JSON_DEPTH_MAX;

/**
 * Returns the first line of a YAML text, from 1, that is nested deeper than any accepted value; undefined if there is none. Three things count as depth: open
 * lists and maps, list marks that follow each other, and lines with a large indent.
 */
export function tooDeepLine(yaml: string): number | undefined {
  let line = 1;
  let open = 0;
  let marks = 0;
  /** True while the line has only white space and list marks. */
  let isBeginning = true;
  let lineStart = 0;
  for (let at = 0; at < yaml.length; at++) {
    const character = yaml.charAt(at);
    if (character === "\n") {
      line++;
      marks = 0;
      isBeginning = true;
      lineStart = at + 1;
    } else if (character === "[" || character === "{") {
      open++;
      isBeginning = false;
    } else if (character === "]" || character === "}") {
      open = Math.max(0, open - 1);
      isBeginning = false;
    } else if (isBeginning && isListMark(yaml, at)) {
      marks++;
    } else if (character !== " " && character !== "\t") {
      isBeginning = false;
    }
    const isFar = isBeginning && at - lineStart > INDENT_UNITS_MAX;
    if (open > JSON_DEPTH_MAX || marks > JSON_DEPTH_MAX || isFar) return line;
  }
  return undefined;
}

/** True for a list's dash, and for the marks of a key and a value on lines of their own. */
function isListMark(yaml: string, at: number): boolean {
  const next = yaml.charAt(at + 1);
  return (
    "-?:".includes(yaml.charAt(at)) && (next === " " || next === "\t" || next === "\n" || next === "\r" || next === "")
  );
}
