import { PiecePairs } from "./piece-pairs.ts";
import { PieceReader } from "./piece-reader.ts";
import {
  floatsOf,
  type ReadModelFile,
  readStudentFile,
  readStudentManifest,
  type StudentManifest,
  shortsOf,
} from "./student-files.ts";

/** The row that stands for a text without any piece. No piece of a text is ever this one, unless it is written out. */
const ROW_OF_NOTHING = "[CLS]";

/**
 * The small encoder that ships with the engine: one vector a word piece, learnt so that the sum over a text's pieces points where
 * the teacher's vector of that text does. Microseconds a text, in this thread, and in the teacher's space: vectors of both may
 * stand side by side and be compared.
 */
export class Student {
  readonly id: string;
  readonly version: string;
  readonly teacher: StudentManifest["teacher"];
  readonly dimensions: number;
  readonly #reader: PieceReader;
  readonly #pairs: PiecePairs;
  readonly #rows: Int8Array;
  readonly #scales: Float32Array;
  readonly #pieceCount: number;
  readonly #rowOfNothing: number;
  readonly #sum: Float64Array;

  constructor(
    manifest: StudentManifest,
    vocabulary: readonly string[],
    pairs: Uint16Array,
    rows: Int8Array,
    scales: Float32Array,
  ) {
    this.id = manifest.id;
    this.version = manifest.version;
    this.teacher = manifest.teacher;
    this.dimensions = manifest.dimensions;
    this.#reader = new PieceReader(vocabulary);
    this.#pairs = new PiecePairs(pairs);
    this.#rows = rows;
    this.#scales = scales;
    this.#pieceCount = vocabulary.length;
    this.#rowOfNothing = Math.max(0, vocabulary.indexOf(ROW_OF_NOTHING));
    this.#sum = new Float64Array(manifest.dimensions);
  }

  /** The vector of a text, of length one: the same text always gives the same. What stands beyond 16,384 UTF-16 units is not read. */
  embed(text: string): Float32Array {
    const pieces = this.#reader.read(text);
    this.#sum.fill(0);
    let previous = -1;
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] ?? 0;
      this.#add(piece);
      const pair = previous < 0 ? -1 : this.#pairs.numberOf(previous, piece);
      if (pair >= 0) this.#add(this.#pieceCount + pair);
      previous = piece;
    }
    if (pieces.length === 0) this.#add(this.#rowOfNothing);
    return this.#unit();
  }

  #add(row: number): void {
    const sum = this.#sum;
    const rows = this.#rows;
    const scale = this.#scales[row] ?? 0;
    const start = row * sum.length;
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + scale * (rows[start + at] ?? 0);
  }

  #unit(): Float32Array {
    const sum = this.#sum;
    let squares = 0;
    for (const value of sum) squares += value * value;
    const vector = new Float32Array(sum.length);
    if (squares === 0) {
      // Rows that cancel out exactly point nowhere; any fixed direction is as good, and length one is promised.
      vector[0] = 1;
      return vector;
    }
    const factor = 1 / Math.sqrt(squares);
    for (let at = 0; at < vector.length; at++) vector[at] = (sum[at] ?? 0) * factor;
    return vector;
  }
}

/** Opens the student whose files `read` gives. Rejects with `CORRUPT` if a file is not the one that the manifest names. */
export async function openStudent(read: ReadModelFile): Promise<Student> {
  const manifest = await readStudentManifest(read);
  const { pieces, pairs, rows, scales } = manifest.files;
  const vocabulary = new TextDecoder()
    .decode(await readStudentFile(read, pieces))
    .trimEnd()
    .split("\n");
  const table = await readStudentFile(read, rows);
  return new Student(
    manifest,
    vocabulary,
    shortsOf(await readStudentFile(read, pairs)),
    new Int8Array(table.buffer, table.byteOffset, table.byteLength),
    floatsOf(await readStudentFile(read, scales)),
  );
}
