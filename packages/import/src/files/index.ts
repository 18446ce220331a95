/** User files, lines of .jsonl, ids of imported documents, and positions in a file. */

export { fileIdOf } from "./document-ids.ts";
export { type JsonLine, linesOf, readJsonLines } from "./json-lines.ts";
export { type PlaceInFile, placeInFile } from "./place-in-file.ts";
export { bytesOfFile, reasonOf, UserFileError } from "./user-files.ts";
