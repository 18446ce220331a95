import { beginning } from "./plain.ts";

/** Some lines of a text, as they stand. */
export interface LineWindow {
  readonly text: string;
  /** The first and the last of them, counted from 1. */
  readonly startLine: number;
  readonly stopLine: number;
  readonly totalLines: number;
  /** Whether it is all of the text. */
  readonly isWhole: boolean;
  /** Whether its one line is longer than may be shown, and ends early. */
  readonly isLineCut: boolean;
}

/** Whole lines from one on, as many as fit, and at least one. A `fromLine` behind the end gives the last line. */
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
