/** Files of the user's, and lines of .jsonl. */

export { type JsonLine, linesOf, readJsonLines } from "./json-lines.ts";
export { bytesOfFile, reasonOf, UserFileError } from "./user-files.ts";
