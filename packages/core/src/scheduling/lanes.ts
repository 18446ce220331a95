import { setImmediate as afterPolling } from "node:timers";
import { setImmediate, setTimeout } from "node:timers/promises";

/** How much is made at a time of what is large, so that searches and writes get their turn in between. */
export interface Slicing {
  /** About how many bytes; a millisecond's work or two. */
  readonly bytes: number;
  /** Gives all others their turn. */
  readonly rest: () => Promise<unknown>;
}

/**
 * One round of the event loop: whoever waits for one gets a turn. All who rest stand in one line, and one of them goes on in a round: so a round
 * takes as long as the longest turn, however many bots are being opened, indexed or written at once.
 */
export const backgroundLane = newLine(roundsOfOthers);

/**
 * The same for who makes a long answer, or reads a long request: they have a line of their own. In the other one somebody who waits for his
 * answer would stand behind the work of every bot after each slice.
 */
export const answerLane = newLine(roundOfAnAnswer);

/** A line of their own for searches: one of all that are long goes on in a round. */
export const searchLane = newLine(roundsOfOthers);

/** Calls this when this round of the event loop is over. */
export function afterThisRound(then: () => void): void {
  afterPolling(then);
}

let arrivals = 0;
let answersWaiting = 0;
/** So many rounds pass at most before one with a turn in it. */
const ROUNDS_MAX = 16;

/**
 * Somebody has connected, or waits to be begun. A round with a turn in it takes as long as the turn, and in each the system hands over one connection,
 * one answer goes on and one request is begun: so while there are any, rounds without a turn are let pass.
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

/** Leaves the process to others for that long. */
export const aMillisecond = (): Promise<void> => setTimeout(1);

export const SLICING: Slicing = { bytes: 256 * 1_024, rest: backgroundLane };

/**
 * The pieces one after the other in slices, with a rest after each. Pieces are only asked for as they are needed; an empty one stands for work
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
