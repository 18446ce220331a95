/** Sizes as they are written on the command line: a number of bytes, or of units of 1,024 (`64k`, `512m`, `4g`). */

const SIZE = /^(\d{1,12})([kmg]?)b?$/i;
const UNITS = [
  ["k", 1_024, "KiB"],
  ["m", 1_048_576, "MiB"],
  ["g", 1_073_741_824, "GiB"],
] as const;

/** Parses a size into bytes; undefined if it is invalid or too large to be counted exactly. */
export function readSize(text: string): number | undefined {
  const [, number, letter = ""] = SIZE.exec(text) ?? [];
  const [, unit = 1] = UNITS.find(([each]) => each === letter.toLowerCase()) ?? [];
  const size = Number(number) * unit;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** The shortest text of a size. */
export function sizeText(bytes: number): string {
  const [letter = "", unit = 1] = UNITS.findLast(([, each]) => bytes >= each && bytes % each === 0) ?? [];
  return `${bytes / unit}${letter}`;
}

/** The probable meaning of a size that is too small, in words: the same number in larger units. */
export function likelySizes(text: string, min: number): string {
  const number = Number.parseInt(text, 10);
  const enough = UNITS.filter(([, unit]) => number * unit >= min).slice(0, 2);
  return enough.map(([letter, , name]) => `write ${number}${letter} for ${name}`).join(", ");
}
