import type { FileKind } from "../../convert/kinds.ts";
import { KIND_BYTES, kindOfBytes } from "../../convert/kinds.ts";
import { jsonLinesOf } from "../../files/json-lines.ts";
import { LINE_BYTES_MAX } from "../../limits.ts";
import type { Placed } from "../belonging/placing.ts";
import { STDIN } from "../belonging/target.ts";
import { requireSize } from "./conversions.ts";
import { charsetOf, type FileReading, itemsOf, itemsOfLines, problemOf, type SourceItem } from "./read-file.ts";

/** Its name in messages. */
const TOLD = "standard input";

/** Reads one file, or lines of .jsonl, from a stream. Never rejects. */
export async function readStdin(
  stream: AsyncIterable<Uint8Array>,
  placed: Placed,
  reading: FileReading,
): Promise<Iterable<SourceItem> | AsyncIterable<SourceItem>> {
  const file = { path: TOLD, real: STDIN, placed };
  try {
    const { head, whole } = await peeked(stream);
    const kind = reading.kind ?? kindOfBytes(head);
    if (kind === "jsonl") return itemsOfLines(jsonLinesOf(whole, LINE_BYTES_MAX), file);
    const bytes = await collected(whole, kind);
    const { type, drafts } = reading;
    const conversion = await reading.convert({ bytes, name: placed.origin.source, kind, type, ...charsetOf(reading) });
    return itemsOf(conversion, file, { drafts });
  } catch (error) {
    return [problemOf(error, file)];
  }
}

/** Returns the stream, and the bytes at its beginning that show its kind. */
async function peeked(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Buffer; readonly whole: AsyncIterable<Buffer> }> {
  const rest = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isDone = false;
  while (head.length < KIND_BYTES && !isDone) {
    const { value, done = false } = await rest.next();
    isDone = done;
    if (!done) head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    for (let at = isDone ? undefined : await rest.next(); at?.done === false; at = await rest.next()) {
      yield Buffer.from(at.value);
    }
  }
  return { head, whole: all() };
}

async function collected(stream: AsyncIterable<Buffer>, kind: FileKind): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    requireSize(length, kind);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
