import { cutIntoSentences } from "../markdown/sentences.ts";

/**
 * An embedding window, the unit that has a vector: a few short fragments in a row, or some sentences of a long one. It is smaller than a passage
 * because an encoder makes one direction of all text that it reads: see docs/decisions/2026-11-21-parts.md.
 */
export interface Window {
  readonly text: string;
  /** The first of the passage's fragments that it holds any of. */
  readonly fragment: number;
}

/** Maximum length of a window in UTF-16 units, about: two or three sentences. */
const WINDOW_UNITS_MAX = 260;

/** Where a long fragment may be cut, in UTF-16 units: sentences shorter than half of this stay together. */
const STRETCH_UNITS = 200;

/**
 * Cuts a passage into at least one window, in order. `fragments` has its fragments without marks. No window holds a whole fragment and a stretch of
 * another.
 */
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

/** Cuts a long fragment into stretches of as many sentences as fit. */
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
