/** Files of the user's, lines of .jsonl, the ids of what files bring, and where in a file it stands. */

export { fileIdOf } from "./document-ids.ts";
export { type JsonLine, linesOf, readJsonLines } from "./json-lines.ts";
export { type PlaceInFile, placeInFile } from "./place-in-file.ts";
export { bytesOfFile, reasonOf, UserFileError } from "./user-files.ts";
