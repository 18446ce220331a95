import { setImmediate as afterPolling } from "node:timers";
import { setImmediate, setTimeout } from "node:timers/promises";

/** How large data is produced in slices, so that searches and writes get the thread in between. */
export interface Slicing {
  /** About how many bytes a slice has; one or two milliseconds of work. */
  readonly bytes: number;
  /** Yields to all others. */
  readonly rest: () => Promise<unknown>;
}

/**
 * The background lane: resolves after one round of the event loop. All callers wait in one queue, and one of them continues per round. So a round
 * takes as long as the longest time slice, however many bots are being opened, indexed or written at once.
 */
export const backgroundLane = newLine(roundsOfOthers);

/**
 * The lane of large answers and large requests. In the background lane, a client that waits for its answer would stand behind the work of
 * every bot after each slice.
 */
export const answerLane = newLine(roundOfAnAnswer);

/** The lane of searches: one of all long searches continues per round. */
export const searchLane = newLine(roundsOfOthers);

/** Calls `then` when this round of the event loop is over. */
export function afterThisRound(then: () => void): void {
  afterPolling(then);
}

let arrivals = 0;
let answersWaiting = 0;
/** The most rounds that pass without a time slice. */
const ROUNDS_MAX = 16;

/**
 * Notes that a client has connected, or that a request waits to begin. The background and search lanes then let rounds pass without a time slice.
 * A round with a slice takes as long as the slice, and each round accepts one connection, continues one answer and begins one request.
 */
export function noteArrival(): void {
  arrivals++;
}

function newLine(round: () => Promise<unknown>): () => Promise<void> {
  let line: Promise<void> = Promise.resolve();
  return () => {
    line = line.then(async () => void (await round()));
    return line;
  };
}

async function roundsOfOthers(): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const before = arrivals;
    await setImmediate();
    if (arrivals === before && answersWaiting === 0) return;
  }
}

async function roundOfAnAnswer(): Promise<void> {
  answersWaiting++;
  await setImmediate();
  answersWaiting--;
}

/** Yields for one millisecond. */
export const aMillisecond = (): Promise<void> => setTimeout(1);

export const SLICING: Slicing = { bytes: 256 * 1_024, rest: backgroundLane };

/**
 * Concatenates pieces to slices, and rests after each slice. Pieces are only produced as they are needed. An empty piece stands for work
 * that took as long as a slice.
 */
export async function* inSlices(
  pieces: Iterable<Uint8Array>,
  { bytes, rest }: Slicing,
): AsyncGenerator<Uint8Array, void> {
  let slice: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    slice.push(piece);
    length += piece.length;
    if (piece.length === 0) await rest();
    if (length < bytes) continue;
    yield Buffer.concat(slice);
    slice = [];
    length = 0;
    await rest();
  }
  if (length > 0) yield Buffer.concat(slice);
}
