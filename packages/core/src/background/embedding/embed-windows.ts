import type { Embedder } from "../../embedding/embedder.ts";
import { requireEntries } from "../../embedding/token-checks.ts";
import type { TokenCodes } from "../../embedding/token-codes.ts";
import { requireLength, requireNumbers } from "../../embedding/vector-checks.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import { encodeVector } from "../../index/vectors/codes.ts";
import type { RecordOf } from "../../model/records.ts";
import { unlessAborted } from "../../platform/abort.ts";
import type { Job } from "./embedding-jobs.ts";
import type { MadeTokenCodes } from "./token-codes-job.ts";

export type VectorsRecord = RecordOf<"vectors">;

/** The embedder's output for some windows. */
export interface Made {
  /** Vectors on their way to the log. */
  readonly vectors: readonly { readonly record: VectorsRecord; readonly codes: Uint8Array }[];
  readonly tokenCodes: readonly MadeTokenCodes[];
}

/**
 * Has the embedder encode the windows of these jobs: their vectors, and their token codes if these are kept and the embedder makes them.
 * @throws RangeError or EmbedderError if the output breaks the embedder's contract; the signal's reason; or the embedder's own errors
 */
export async function embedWindows(
  embedder: Embedder,
  jobs: readonly Job[],
  keepsTokenCodes: boolean,
  signal: AbortSignal,
): Promise<Made> {
  const texts = jobs.flatMap((job) => job.texts);
  const { id, version, dimensions, tokens } = embedder;
  let vectors: readonly Float32Array[];
  let entries: readonly TokenCodes[] | undefined;
  if (keepsTokenCodes && tokens !== undefined) {
    const encoded = await unlessAborted(tokens.embedPassages(texts, signal), signal);
    requireEntries(encoded, texts.length, tokens.space);
    ({ vectors, tokens: entries } = encoded);
  } else {
    vectors = await unlessAborted(embedder.embedPassages(texts, signal), signal);
    if (vectors.length !== texts.length)
      throw new RangeError(`It gave ${vectors.length} vectors for ${texts.length} texts.`);
  }
  // All codes are made before the first write: an error must leave no write behind that nobody awaits.
  const codes = codesOf(vectors, dimensions);
  const made = { vectors: [] as Made["vectors"][number][], tokenCodes: [] as MadeTokenCodes[] };
  const space = { id, version, dimensions };
  let from = 0;
  for (const { texts, lacksVectors, ...job } of jobs) {
    const to = from + texts.length;
    const tokenCodes = entries?.slice(from, to).map((entry) => entry.tokenCodes);
    if (tokenCodes !== undefined) made.tokenCodes.push({ ...job, tokenCodes });
    if (lacksVectors) {
      const of = { texts: EMBEDDED_TEXTS_VERSION, encoding: "int8" } as const;
      const record: VectorsRecord = { kind: "vectors", ...job, count: texts.length, space, ...of };
      made.vectors.push({ record, codes: codes.slice(from * dimensions, to * dimensions) });
    }
    from = to;
  }
  return made;
}

/** The quantized codes of the vectors. @throws RangeError for a vector of another length, EmbedderError for one that is not all numbers */
function codesOf(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
  const codes = new Uint8Array(vectors.length * dimensions);
  for (const [i, vector] of vectors.entries()) {
    requireLength(vector, dimensions);
    requireNumbers(vector);
    codes.set(encodeVector(vector), i * dimensions);
  }
  return codes;
}
