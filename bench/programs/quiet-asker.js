/**
 * The thread that asks in `quiet-bot.ts`: whoever asks is not where the work is done, and waits until he is heard. Plain JavaScript, so that it needs no loader. It is sent how many askers there are,
 * and has one question after the other asked, by each of them in turn, until it is sent the word `over`; then it sends their times, in milliseconds.
 */
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** Between two questions: so that each waits for the work, and not for the one before. */
const PAUSE_MS = 4;
/** @type {readonly string[]} */
const questions = workerData;
let asked = 0;
let isOver = false;
let heard = () => {};

/** @param {number} askers */
async function ask(askers) {
  isOver = false;
  /** @type {number[][]} */
  const times = Array.from({ length: askers }, () => []);
  while (!isOver) {
    for (const [asker, own] of times.entries()) {
      // None is asked twice in the same words: what an encoder has read before it does not read again.
      const question = `${questions[asked % questions.length]}${" ".repeat(asked / questions.length)}`;
      asked++;
      const from = performance.now();
      await new Promise((resolve) => {
        heard = () => resolve(undefined);
        parentPort?.postMessage({ asker, question });
      });
      own.push(performance.now() - from);
      await wait(PAUSE_MS);
    }
  }
  parentPort?.postMessage({ times });
}

parentPort?.on("message", (/** @type {number | "answered" | "over"} */ message) => {
  if (message === "answered") heard();
  else if (message === "over") isOver = true;
  else void ask(message);
});
