import { cutIntoSentences } from "../markdown/sentences.ts";

/**
 * A part is what has a vector of its own: a few short pieces that follow each other in a passage, or some sentences of a long one. It
 * is smaller than a passage because an encoder gives one direction for all that it is told: see docs/decisions.
 */
export interface Window {
  readonly text: string;
  /** The first of the passage's pieces that it holds any of. */
  readonly fragment: number;
}

/** A part has at most about this many UTF-16 units: two or three sentences. */
const WINDOW_UNITS_MAX = 260;

/** Where a long piece may be cut: sentences of less than half of this stay together. */
const STRETCH_UNITS = 200;

/** Cuts a passage, given by its pieces without marks, into parts: at least one, in order. None holds a piece whole and a stretch of another. */
export function windowsOf(fragments: readonly string[]): Window[] {
  const windows: Window[] = [];
  let joined: string[] = [];
  let joinedUnits = 0;
  const flush = (before: number): void => {
    if (joined.length > 0) windows.push({ text: joined.join("\n"), fragment: before - joined.length });
    joined = [];
    joinedUnits = 0;
  };
  for (const [fragment, text] of fragments.entries()) {
    if (joinedUnits + text.length > WINDOW_UNITS_MAX) flush(fragment);
    if (text.length > WINDOW_UNITS_MAX) {
      for (const stretch of stretchesOf(text)) windows.push({ text: stretch, fragment });
    } else {
      joined.push(text);
      joinedUnits += text.length;
    }
  }
  flush(fragments.length);
  return windows.length > 0 ? windows : [{ text: "", fragment: 0 }];
}

/** Some sentences each, as many as fit. */
function stretchesOf(text: string): string[] {
  const stretches: string[] = [];
  let start = 0;
  let end = 0;
  for (const next of cutIntoSentences(text, 0, text.length, STRETCH_UNITS)) {
    if (end > start && next.end - start > WINDOW_UNITS_MAX) {
      stretches.push(text.slice(start, end));
      start = next.start;
    }
    if (end === 0) start = next.start;
    end = next.end;
  }
  stretches.push(text.slice(start, end));
  return stretches;
}
