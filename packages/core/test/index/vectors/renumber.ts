/** Vectors that can be moved. */
interface Movable {
  has(key: number): boolean;
  delete(key: number): boolean;
  move(from: number, to: number): void;
  trim(): void;
}

/** Gives all vectors below `end` new keys, which rise with the old ones, and drops those that get none. */
export function renumber(vectors: Movable, end: number, newKeyOf: (key: number) => number | undefined): void {
  for (let key = 0; key < end; key++) {
    const to = newKeyOf(key);
    if (to === undefined) vectors.delete(key);
    else if (to !== key) vectors.move(key, to);
  }
  vectors.trim();
}
