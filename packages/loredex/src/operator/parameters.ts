import {
  DOCUMENT_ALTERNATIVES_MAX,
  DOCUMENT_BLOCKS_MAX,
  DOCUMENT_METADATA_VALUES_MAX,
  scheduler,
  ValidationError,
} from "@loredex/core";
import { JsonReader } from "./json-reader.ts";
import { REQUEST_BYTES_MAX } from "./wire.ts";

/** The bytes of a time slice: about a millisecond of work, and as much as the system delivers in one piece. */
const SLICE_BYTES = 65_536;

/** More than any document may have. It bounds lists and objects, since even the keys of a larger one would take a whole time slice. */
const VALUES_MAX = 2 * DOCUMENT_BLOCKS_MAX + DOCUMENT_METADATA_VALUES_MAX + DOCUMENT_ALTERNATIVES_MAX + 1_000;

/**
 * Reads the parameters of a request as they arrive, in time slices, so that a large document delays nothing.
 * It reads all of the request, even if it is too long or no JSON: a client only reads the answer after it has sent everything.
 * @throws ValidationError if it is too long or has too many values, SyntaxError if it is no JSON
 */
export async function readParameters(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number = REQUEST_BYTES_MAX,
): Promise<unknown> {
  let reader: JsonReader | undefined = new JsonReader();
  let broken: { readonly error: unknown } | undefined;
  let isTooMany = false;
  let bytes = 0;
  let sliceEnd = SLICE_BYTES;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > bytesMax) reader = undefined;
    try {
      reader?.write(piece);
      isTooMany ||= (reader?.values ?? 0) > VALUES_MAX;
      if (isTooMany) reader = undefined;
    } catch (error) {
      broken = { error };
      reader = undefined;
    }
    if (bytes < sliceEnd) continue;
    sliceEnd = bytes + SLICE_BYTES;
    await scheduler.answers();
  }
  if (bytes > bytesMax) {
    const message = "the document is too large; divide it into several";
    throw new ValidationError([{ message, field: "document", type: "maxLength" }]);
  }
  if (isTooMany) {
    const message = `the document has more than ${VALUES_MAX} values; divide it into several`;
    throw new ValidationError([{ message, field: "document", type: "maxLength" }]);
  }
  if (broken !== undefined) throw broken.error;
  return reader?.end();
}
