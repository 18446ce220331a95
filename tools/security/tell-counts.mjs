import { countsTold } from "./counts.mjs";

/** Prints how much tests tried that counted it into the given file. */
const [file] = process.argv.slice(2);
process.stdout.write(`\nWhat was tried:\n${countsTold(file ?? "")}`);
