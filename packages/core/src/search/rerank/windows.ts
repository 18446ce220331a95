import { maxSim } from "./max-sim.ts";

/** A part of a passage, compared with a question. */
export interface ComparedWindow {
  /** By token of the question: its least distance to one of the part. */
  readonly least: Uint16Array;
  /** How many tokens the part has. */
  readonly tokens: number;
}

/**
 * Parts that follow each other are taken together until they have so many tokens: an answer rarely stands in one part alone, and a long passage
 * would hold a word of everything.
 */
export const WINDOW_TOKENS = 160;

/**
 * How well a passage holds the tokens of a question, 0 to 1: the `maxSim` of its best window.
 * @param parts of the passage, in order; none: 0
 * @param bits of a token
 */
export function bestWindow(windows: readonly ComparedWindow[], weights: Float32Array, bits: number): number {
  let best = 0;
  for (let first = 0, end = 0; first < windows.length && end < windows.length; first++) {
    const window = windowFrom(windows, first);
    best = Math.max(best, maxSim(window.least, weights, bits));
    // One that begins later than the window that has the last part holds nothing that this one lacks.
    end = window.end;
  }
  return best;
}

function windowFrom(
  windows: readonly ComparedWindow[],
  first: number,
): { readonly least: Uint16Array; readonly end: number } {
  const least = windows[first]?.least.slice() ?? new Uint16Array(0);
  let tokens = windows[first]?.tokens ?? 0;
  let end = first + 1;
  for (; end < windows.length && tokens < WINDOW_TOKENS; end++) {
    const window = windows[end];
    for (let i = 0; i < least.length; i++) least[i] = Math.min(least[i] ?? 0, window?.least[i] ?? 0);
    tokens += window?.tokens ?? 0;
  }
  return { least, end };
}
