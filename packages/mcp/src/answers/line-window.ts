import { beginning } from "./plain.ts";

/** A range of lines of a text, unchanged. */
export interface LineWindow {
  readonly text: string;
  /** The first and the last line, counted from 1. */
  readonly startLine: number;
  readonly stopLine: number;
  readonly totalLines: number;
  /** True if it is the whole text. */
  readonly isWhole: boolean;
  /** True if its one line is longer than the limit, and was cut. */
  readonly isLineCut: boolean;
}

/** Returns whole lines from `fromLine` on, as many as fit, but at least one. A `fromLine` after the end returns the last line. */
export function lineWindow(text: string, fromLine: number, charactersMax: number): LineWindow {
  const lines = text.split("\n");
  const first = Math.min(fromLine, lines.length) - 1;
  let stop = first;
  let characters = 0;
  while (stop < lines.length) {
    characters += (lines[stop]?.length ?? 0) + 1;
    if (characters - 1 > charactersMax) break;
    stop += 1;
  }
  const isLineCut = stop === first;
  const shown = isLineCut ? beginning(lines[first] ?? "", charactersMax) : lines.slice(first, stop).join("\n");
  const stopLine = isLineCut ? first + 1 : stop;
  return {
    text: shown,
    startLine: first + 1,
    stopLine,
    totalLines: lines.length,
    isWhole: first === 0 && stopLine === lines.length && !isLineCut,
    isLineCut,
  };
}
