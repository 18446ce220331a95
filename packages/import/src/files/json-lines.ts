import { jsonContents, readJson, refuseLosses, ValidationError } from "@loredex/core";
import { bytesOfFile } from "./user-files.ts";

/** One line of a .jsonl file: its value, or its problem. */
export type JsonLine =
  | { readonly line: number; readonly value: unknown; readonly bytes: number }
  | { readonly line: number; readonly problem: string };

const NEWLINE = 10;

/** Reads a .jsonl file or pipe line by line. Blank lines are skipped. A line above the limit takes no more memory than one within it. */
export function readJsonLines(path: string, lineBytesMax: number): AsyncGenerator<JsonLine> {
  return jsonLinesOf(bytesOfFile(path, { takesPipe: true }), lineBytesMax);
}

/** Reads the lines of a stream. */
export async function* jsonLinesOf(stream: AsyncIterable<Buffer>, lineBytesMax: number): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of linesOf(stream, lineBytesMax)) {
    line += 1;
    const read = bytes === "tooLong" ? tooLong(line, lineBytesMax) : parse(bytes, line);
    if (read !== undefined) yield read;
  }
}

/** Yields the lines of a stream without line breaks. At most `bytesMax` bytes of a long line are kept. */
export async function* linesOf(stream: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer | "tooLong"> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes <= bytesMax) pieces.push(piece);
  };
  const take = (): Buffer | "tooLong" => {
    const line = bytes <= bytesMax ? Buffer.concat(pieces) : "tooLong";
    pieces = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (bytes > 0) yield take();
}

function tooLong(line: number, bytesMax: number): JsonLine {
  const megabytes = Math.max(1, Math.floor(bytesMax / 1_048_576));
  return { line, problem: `the line has more than ${megabytes} MiB; divide the document into several` };
}

function parse(bytes: Buffer, line: number): JsonLine | undefined {
  let text: string;
  try {
    // The decoder also drops a byte order mark at the beginning of the file.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { line, problem: "the line is no valid UTF-8" };
  }
  if (text.trim() === "") return undefined;
  try {
    const value = readJson(text);
    refuseLosses(text, jsonContents(value));
    return { line, value, bytes: bytes.length };
  } catch (error) {
    if (error instanceof ValidationError) return { line, problem: error.message };
    return { line, problem: `the line is no valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
