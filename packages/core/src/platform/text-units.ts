/** From so many units on, the system's copy is faster than a loop. */
const COPIED_MIN = 24;
const UNITS_FIRST = 1_024;
/** More than this is given back after use. */
const UNITS_KEPT_MAX = 1 << 16;

/** The system's copy has the lower byte first. */
const IS_LOWER_FIRST = new Uint16Array(Uint8Array.of(1, 0).buffer)[0] === 1;

/**
 * The UTF-16 units of a text as numbers. A text that is a piece of another has to be found again for each `charCodeAt`; whoever looks at all its
 * units several times is much faster with a copy.
 */
export class TextUnits {
  #units = new Uint16Array(UNITS_FIRST);
  #bytes = bytesOf(this.#units);

  /** The text's units, and a 0 behind them; what follows is left over from others. Good until the next call. */
  of(text: string): Uint16Array {
    const { length } = text;
    if (length >= this.#units.length || this.#units.length > UNITS_KEPT_MAX) this.#makeRoom(length + 1);
    const units = this.#units;
    if (IS_LOWER_FIRST && length >= COPIED_MIN) this.#bytes.write(text, 0, length * 2, "utf16le");
    else for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
    units[length] = 0;
    return units;
  }

  #makeRoom(length: number): void {
    const room = Math.max(UNITS_FIRST, length > UNITS_KEPT_MAX ? length : Math.min(UNITS_KEPT_MAX, length * 2));
    if (room === this.#units.length) return;
    this.#units = new Uint16Array(room);
    this.#bytes = bytesOf(this.#units);
  }
}

function bytesOf({ buffer }: Uint16Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer);
}

/** A text of these units. */
export function stringOf(units: Uint16Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += STRING_UNITS)
    text += String.fromCharCode(...units.subarray(at, Math.min(end, at + STRING_UNITS)));
  return text;
}

/** So many arguments a call has in any case. */
const STRING_UNITS = 4_096;
