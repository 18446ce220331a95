import type { VectorSpace } from "../model/records.ts";
import type { StaticEmbedder } from "./embedder.ts";
import { PieceList } from "./piece-list.ts";
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

/** The row that stands for a text without any piece. No piece of a text is ever this one, unless it is written out. */
const ROW_OF_NOTHING = "[CLS]";

/** Shares of the dense score: see docs/decisions for what they were chosen by. */
const WEIGHT = 0.3;
const MIXED_WEIGHT = 0.4;

/**
 * The small encoder that ships with the engine: one vector a word piece, learnt so that the sum over a text's pieces points where
 * the teacher's vector of that text does. Microseconds a text, in this thread, and in the teacher's space: vectors of both may
 * stand side by side and be compared.
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
  readonly #rows = new PieceList();

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

  calibrate(cosine: number): number {
    return Math.min(1, Math.max(0, cosine));
  }

  knows(text: string): boolean {
    const pieces = this.#reader.read(text);
    return pieces.length === 0 || pieces.some((piece) => piece !== this.#reader.unknown);
  }

  /** The vector of a text, of length one: the same text always gives the same. What stands beyond 16,384 UTF-16 units is not read. */
  embed(text: string): Float32Array {
    const rows = this.#rows;
    rows.clear();
    let previous = -1;
    for (const piece of this.#reader.read(text)) {
      rows.push(piece);
      const pair = previous < 0 ? -1 : this.#pairs.numberOf(previous, piece);
      if (pair >= 0) rows.push(this.#pieceCount + pair);
      previous = piece;
    }
    if (rows.length === 0) rows.push(this.#rowOfNothing);
    return this.#table.direction(rows.ids);
  }
}

/** Opens the static embedder whose files `read` gives. Rejects with `CORRUPT` if a file is not the one that the manifest names. */
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
