/** Reads the answer of a search from standard input, and prints it for a person. */

import { text } from "node:stream/consumers";
import { readable } from "../shared/answers.mjs";

const input = await text(process.stdin);
try {
  const answer = JSON.parse(input);
  console.log(Array.isArray(answer) ? readable(answer, { partsMax: 3 }) : JSON.stringify(answer, undefined, 2));
} catch {
  // A 429 is plain text, and without a server there is nothing at all.
  console.log(input || "There was no answer. Is the server running?");
}
