import { createReadStream } from "node:fs";

/** One line of a .jsonl file: what it says, or what is wrong with it. */
export type JsonLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string };

const NEWLINE = 10;

/** Reads a .jsonl file line by line; blank lines are passed over, and a line that is too long takes no memory. */
export async function* readJsonLines(path: string, lineBytesMax: number): AsyncGenerator<JsonLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let line = 0;
  const finish = (): JsonLine | undefined => {
    line += 1;
    const [whole, length] = [parts, bytes];
    parts = [];
    bytes = 0;
    if (length > lineBytesMax)
      return { line, problem: `the line has more than ${lineBytesMax} bytes; divide the document` };
    return parse(Buffer.concat(whole), line);
  };
  for await (const chunk of createReadStream(path)) {
    const buffer: Buffer = chunk;
    let start = 0;
    for (;;) {
      const end = buffer.indexOf(NEWLINE, start);
      const piece = buffer.subarray(start, end < 0 ? buffer.length : end);
      bytes += piece.length;
      if (bytes <= lineBytesMax) parts.push(piece);
      else parts = [];
      if (end < 0) break;
      const finished = finish();
      if (finished !== undefined) yield finished;
      start = end + 1;
    }
  }
  if (bytes > 0) {
    const finished = finish();
    if (finished !== undefined) yield finished;
  }
}

function parse(bytes: Buffer, line: number): JsonLine | undefined {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { line, problem: "the line is no valid UTF-8" };
  }
  if (text.trim() === "") return undefined;
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    return { line, problem: `the line is no valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
