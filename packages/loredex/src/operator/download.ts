import { jsonPieces, LoredexError, readJson, scheduler } from "@loredex/core";
import { linesOf } from "@loredex/import/files";

/** A long answer whose first part has arrived, so it is not refused any more. */
export class Begun {
  readonly #first: IteratorResult<unknown>;
  readonly #rest: AsyncIterator<unknown>;

  constructor(first: IteratorResult<unknown>, rest: AsyncIterator<unknown>) {
    this.#first = first;
    this.#rest = rest;
  }

  /** The parts as they are sent: bytes unchanged, anything else as a line of JSON. */
  async *lines(): AsyncGenerator<Uint8Array> {
    try {
      for (let part = this.#first; part.done !== true; part = await this.#rest.next()) {
        if (part.value instanceof Uint8Array) yield part.value;
        else yield* jsonBytes(part.value, "\n");
      }
    } finally {
      await this.#rest.return?.();
    }
  }
}

/** Waits for the first part. @throws the error of a refused answer */
export async function begun(parts: AsyncIterable<unknown>): Promise<Begun> {
  const rest = parts[Symbol.asyncIterator]();
  return new Begun(await rest.next(), rest);
}

/** A value as JSON, piece by piece. Yields to all others between two pieces, and ends with `end`. */
export async function* jsonBytes(value: unknown, end = ""): AsyncGenerator<Uint8Array> {
  let before: string | undefined;
  for (const piece of jsonPieces(value)) {
    if (before !== undefined) {
      yield Buffer.from(before);
      await scheduler.answers();
    }
    before = piece;
  }
  yield Buffer.from(`${before ?? ""}${end}`);
}

/** The values of a stream of JSON lines. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  for await (const line of linesOf(stream, Number.MAX_SAFE_INTEGER)) {
    if (line === "tooLong") throw new LoredexError("STORAGE_FAILED", "The running server sent a line without an end.");
    yield readJson(line.toString("utf8"));
  }
}
