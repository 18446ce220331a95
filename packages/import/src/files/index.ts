/** Files of the user's, lines of .jsonl, and the ids of what files bring. */

export { fileIdOf } from "./document-ids.ts";
export { type JsonLine, linesOf, readJsonLines } from "./json-lines.ts";
export { bytesOfFile, reasonOf, UserFileError } from "./user-files.ts";
