import { JSON_DEPTH_MAX } from "@loredex/core";

/** YAML's reader goes into nested values by calling itself: some thousand levels end the process. */
const INDENT_UNITS_MAX = 8 * JSON_DEPTH_MAX;

/**
 * The line of a YAML text, from 1, from which on it is nested deeper than any value that is taken; undefined if there is none. Deep are
 * lists and maps that open and do not close, list marks that follow each other, and lines that begin far to the right.
 */
export function tooDeepLine(yaml: string): number | undefined {
  let line = 1;
  let open = 0;
  let marks = 0;
  /** Whether nothing but white space and list marks has come on this line. */
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

/** A list's dash, and the marks of a key and a value that stand on lines of their own. */
function isListMark(yaml: string, at: number): boolean {
  const next = yaml.charAt(at + 1);
  return (
    "-?:".includes(yaml.charAt(at)) && (next === " " || next === "\t" || next === "\n" || next === "\r" || next === "")
  );
}
