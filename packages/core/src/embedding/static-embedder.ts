import type { VectorSpace } from "../model/records.ts";
import { GrowingUint32 } from "../platform/growing-array.ts";
import type { StaticEmbedder } from "./embedder.ts";
import { PiecePairs } from "./piece-pairs.ts";
import { PieceReader } from "./piece-reader.ts";
import { RowTable } from "./row-table.ts";
import {
  floatsOf,
  type ReadModelFile,
  readStaticEmbedderFile,
  readStaticEmbedderManifest,
  type StaticEmbedderManifest,
  shortsOf,
} from "./static-files.ts";

/** The word piece whose row is the vector of an empty text. No text has this word piece, unless it is written out. */
const ROW_OF_NOTHING = "[CLS]";

/** Weights of the cosine score. How they were chosen: see docs/decisions. */
const WEIGHT = 0.3;
const MIXED_WEIGHT = 0.35;

/**
 * The static embedder that ships with the engine: a table with one int8 row for each word piece and for some pairs of neighbouring word pieces.
 * A text's vector is the normalized sum of its rows. The rows are distilled from a sentence encoder, so that the sum points where the encoder's
 * vector does. So vectors of both can be compared. A text takes microseconds, in the caller's thread.
 */
export class TableEmbedder implements StaticEmbedder {
  readonly id: string;
  readonly version: string;
  readonly space: VectorSpace;
  readonly weight = WEIGHT;
  readonly mixedWeight = MIXED_WEIGHT;
  readonly #reader: PieceReader;
  readonly #pairs: PiecePairs;
  readonly #pieceCount: number;
  readonly #rowOfNothing: number;
  readonly #table: RowTable;
  readonly #rows = new GrowingUint32();

  constructor(manifest: StaticEmbedderManifest, vocabulary: readonly string[], pairs: Uint16Array, table: RowTable) {
    this.id = manifest.id;
    this.version = manifest.version;
    this.space = { ...manifest.teacher, dimensions: manifest.dimensions };
    this.#reader = new PieceReader(vocabulary);
    this.#pairs = new PiecePairs(pairs);
    this.#pieceCount = vocabulary.length;
    this.#rowOfNothing = vocabulary.indexOf(ROW_OF_NOTHING);
    this.#table = table;
  }

  /** The cosine itself; a negative one counts as 0. */
  calibrate(cosine: number): number {
    return Math.min(1, Math.max(0, cosine));
  }

  knows(text: string): boolean {
    const pieces = this.#reader.read(text);
    return pieces.length === 0 || pieces.some((piece) => piece !== this.#reader.unknown);
  }

  /** The vector of a text, of length one. The same text always gives the same vector. Text beyond 16,384 UTF-16 units is not read. */
  embed(text: string): Float32Array {
    const rows = this.#rows;
    rows.cut(0);
    let previous = -1;
    for (const piece of this.#reader.read(text)) {
      rows.push(piece);
      const pair = previous < 0 ? -1 : this.#pairs.numberOf(previous, piece);
      if (pair >= 0) rows.push(this.#pieceCount + pair);
      previous = piece;
    }
    if (rows.length === 0) rows.push(this.#rowOfNothing);
    return this.#table.direction(rows.view());
  }
}

/** Opens a static embedder; `read` gives its files. Rejects with `CORRUPT` if a file is not the one that the manifest names. */
export async function openStatic(read: ReadModelFile): Promise<TableEmbedder> {
  const manifest = await readStaticEmbedderManifest(read);
  const { pieces, pairs, rows, scales } = manifest.files;
  const vocabulary = new TextDecoder()
    .decode(await readStaticEmbedderFile(read, pieces))
    .trimEnd()
    .split("\n");
  const table = await readStaticEmbedderFile(read, rows);
  return new TableEmbedder(
    manifest,
    vocabulary,
    shortsOf(await readStaticEmbedderFile(read, pairs)),
    new RowTable(
      new Int8Array(table.buffer, table.byteOffset, table.byteLength),
      floatsOf(await readStaticEmbedderFile(read, scales)),
    ),
  );
}
