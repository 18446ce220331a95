/** The number of units from which on the system's copy is faster than a loop. */
const COPIED_MIN = 24;
const UNITS_FIRST = 1_024;
/** The largest buffer that is kept after use, in units. */
const UNITS_KEPT_MAX = 1 << 16;

/** True on a little-endian machine: the system's copy has the lower byte first. */
const IS_LOWER_FIRST = new Uint16Array(Uint8Array.of(1, 0).buffer)[0] === 1;

/**
 * Copies the UTF-16 units of a text to a reused buffer. `charCodeAt` of a substring finds its text again each time, so a copy is
 * much faster for code that reads all units several times.
 */
export class TextUnits {
  #units = new Uint16Array(UNITS_FIRST);
  #bytes = bytesOf(this.#units);

  /** The text's units, and a 0 behind them; the rest of the buffer is left over from earlier texts. Valid until the next call. */
  of(text: string): Uint16Array {
    const { length } = text;
    if (length >= this.#units.length || this.#units.length > UNITS_KEPT_MAX) this.#resize(length + 1);
    const units = this.#units;
    if (IS_LOWER_FIRST && length >= COPIED_MIN) this.#bytes.write(text, 0, length * 2, "utf16le");
    else for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
    units[length] = 0;
    return units;
  }

  #resize(length: number): void {
    const capacity = Math.max(UNITS_FIRST, length > UNITS_KEPT_MAX ? length : Math.min(UNITS_KEPT_MAX, length * 2));
    if (capacity === this.#units.length) return;
    this.#units = new Uint16Array(capacity);
    this.#bytes = bytesOf(this.#units);
  }
}

function bytesOf({ buffer }: Uint16Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer);
}

/** Makes a string of the units in `[start, end)`. */
export function stringOf(units: Uint16Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += STRING_UNITS)
    text += String.fromCharCode(...units.subarray(at, Math.min(end, at + STRING_UNITS)));
  return text;
}

/** The number of arguments that every call accepts. */
const STRING_UNITS = 4_096;
