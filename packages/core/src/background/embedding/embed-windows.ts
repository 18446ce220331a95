import type { Embedder } from "../../embedding/embedder.ts";
import { requireEntries } from "../../embedding/token-checks.ts";
import { requireLength, requireNumbers } from "../../embedding/vector-checks.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import { encodeVector } from "../../index/vectors/codes.ts";
import type { BotRecord } from "../../model/records.ts";
import { unlessAborted } from "../../platform/abort.ts";
import type { Job } from "./embedding-jobs.ts";
import type { MadeTokenCodes } from "./token-codes-job.ts";

export type VectorsRecord = Extract<BotRecord, { readonly kind: "vectors" }>;

/** Vectors on their way to the log. */
interface Unwritten {
  readonly record: VectorsRecord;
  readonly codes: Uint8Array;
}

/** The embedder's output for some windows. */
export interface Made {
  readonly vectors: readonly Unwritten[];
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
  const { vectors, tokenCodes } = await encode(embedder, texts, keepsTokenCodes, signal);
  const { id, version, dimensions } = embedder;
  // All codes are made before the first write: an error must leave no write behind that nobody awaits.
  const codes = codesOf(vectors, dimensions);
  const space = { id, version, dimensions };
  const made = { vectors: [] as Unwritten[], tokenCodes: [] as MadeTokenCodes[] };
  let from = 0;
  for (const { id, version, first, texts, lacksVectors } of jobs) {
    const to = from + texts.length;
    if (tokenCodes !== undefined) made.tokenCodes.push({ id, version, first, tokenCodes: tokenCodes.slice(from, to) });
    if (lacksVectors) {
      const of = { kind: "vectors", id, version, first, count: texts.length } as const;
      const record: VectorsRecord = { ...of, space, texts: EMBEDDED_TEXTS_VERSION, encoding: "int8" };
      made.vectors.push({ record, codes: codes.slice(from * dimensions, to * dimensions) });
    }
    from = to;
  }
  return made;
}

async function encode(
  embedder: Embedder,
  texts: readonly string[],
  keepsTokenCodes: boolean,
  signal: AbortSignal,
): Promise<{ readonly vectors: readonly Float32Array[]; readonly tokenCodes?: readonly Uint8Array[] }> {
  const { tokens } = embedder;
  if (tokens !== undefined && keepsTokenCodes) {
    const encoded = await unlessAborted(tokens.embedPassages(texts, signal), signal);
    requireEntries(encoded, texts.length, tokens.space);
    return { vectors: encoded.vectors, tokenCodes: encoded.tokens.map(({ tokenCodes }) => tokenCodes) };
  }
  const vectors = await unlessAborted(embedder.embedPassages(texts, signal), signal);
  if (vectors.length !== texts.length)
    throw new RangeError(`It gave ${vectors.length} vectors for ${texts.length} texts.`);
  return { vectors };
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
