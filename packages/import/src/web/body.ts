import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { WebError } from "./web-error.ts";

export interface BodyOptions {
  readonly bytesMax: number;
  /** Keep only the beginning of a larger body, instead of refusing it. */
  readonly cutsOff: boolean;
  /** Called for each chunk that arrives. */
  readonly onBytes: () => void;
}

/** Reads and unpacks the body of an answer. @throws WebError, or an error of the connection */
export async function bodyOf(response: IncomingMessage, options: BodyOptions): Promise<Uint8Array> {
  const { bytesMax, cutsOff } = options;
  const told = Number(response.headers["content-length"] ?? 0);
  if (told > bytesMax && !cutsOff) throw dropped(response, bytesMax);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of unpacked(response, options)) {
    bytes += piece.length;
    if (bytes > bytesMax && !cutsOff) throw dropped(response, bytesMax);
    pieces.push(piece.subarray(0, piece.length - Math.max(0, bytes - bytesMax)));
    if (bytes >= bytesMax && cutsOff) break;
  }
  response.destroy();
  return Buffer.concat(pieces);
}

/** Unpacks a file that was itself packed (`sitemap.xml.gz`). @throws WebError */
export async function gunzipped(packed: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const gunzip = createGunzip();
  gunzip.end(packed);
  try {
    for await (const piece of gunzip) {
      bytes += piece.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof WebError) throw error;
    // The file arrived whole, so the connection is not to blame.
    throw new WebError("unfit", "it is packed, and is damaged or cut off: it cannot be unpacked", { cause: error });
  }
  return Buffer.concat(pieces);
}

async function* unpacked(response: IncomingMessage, options: BodyOptions): AsyncGenerator<Buffer> {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  const raw = counted(response, options);
  if (encoding === "" || encoding === "identity") return yield* raw;
  const first = await raw.next();
  if (first.done === true) return;
  const unpack = unpackerOf(encoding, first.value);
  if (unpack === undefined) {
    response.destroy();
    throw new WebError("unfit", `it is packed in a way that is not known here (${encoding})`);
  }
  const packed = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    yield* raw;
  };
  // A failure on the way ends the stream that is read below.
  pipeline(packed, unpack, () => {});
  for await (const piece of unpack) yield Buffer.from(piece);
}

async function* counted(
  response: IncomingMessage,
  { bytesMax, cutsOff, onBytes }: BodyOptions,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of response) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    // The limit also holds for packed bytes: an endless body that unpacks to nothing ends here.
    if (bytes > bytesMax && !cutsOff) throw dropped(response, bytesMax);
    onBytes();
    yield buffer;
    if (bytes > bytesMax) return;
  }
}

function unpackerOf(encoding: string, start: Buffer): Transform | undefined {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  // Some servers send `deflate` with a zlib header, some without.
  if (encoding === "deflate") return ((start[0] ?? 0) & 15) === 8 ? createInflate() : createInflateRaw();
  return undefined;
}

function dropped(response: IncomingMessage, bytesMax: number): WebError {
  response.destroy();
  return tooLarge(bytesMax);
}

function tooLarge(bytesMax: number): WebError {
  return new WebError("unfit", `it has more than ${Math.floor(bytesMax / 1_048_576)} MiB`);
}
