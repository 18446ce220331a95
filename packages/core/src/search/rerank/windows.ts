import { must } from "../../model/must.ts";
import { maxSim } from "./max-sim.ts";

/** An embedding window of a passage, compared with a question. */
export interface ComparedWindow {
  /** By token of the question: its least distance to a token of the window. */
  readonly least: Uint16Array;
  /** Number of tokens of the window. */
  readonly tokens: number;
}

/**
 * Adjacent embedding windows are joined to a run until it has this many tokens.
 * An answer rarely stands in one window alone, and a long passage as a whole would hold a word of everything.
 */
export const WINDOW_TOKENS = 160;

/**
 * MaxSim of a passage, 0 to 1: that of its best run of adjacent embedding windows.
 * @param windows of the passage, in order; none: 0
 * @param bits of a token
 */
export function bestWindow(windows: readonly ComparedWindow[], weights: Float32Array, bits: number): number {
  let best = 0;
  for (let first = 0, end = 0; first < windows.length && end < windows.length; first++) {
    const window = windowFrom(windows, first);
    best = Math.max(best, maxSim(window.least, weights, bits));
    // Later runs end with the same last window, and hold nothing that this one lacks.
    end = window.end;
  }
  return best;
}

const WINDOW = "a compared window";

function windowFrom(
  windows: readonly ComparedWindow[],
  first: number,
): { readonly least: Uint16Array; readonly end: number } {
  const window = must(windows[first], WINDOW);
  const least = window.least.slice();
  let { tokens } = window;
  let end = first + 1;
  for (; end < windows.length && tokens < WINDOW_TOKENS; end++) {
    const next = must(windows[end], WINDOW);
    // In bounds: every window has a distance for each token of the question.
    for (let i = 0; i < least.length; i++) least[i] = Math.min(least[i] as number, next.least[i] as number);
    tokens += next.tokens;
  }
  return { least, end };
}
