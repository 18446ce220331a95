/** What may come next, outside of strings. */
type Awaited = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "nothing";

const QUOTE = 34;
const BACKSLASH = 92;
/** `\uXXXX` is the longest way to write one unit. */
const ESCAPE_UNITS_MAX = 6;

/** No number or word that means anything is longer. */
const SCALAR_UNITS_MAX = 1_000;

const WHITE = new Set(" \t\n\r");
const SCALAR = /[-+.0-9A-Za-z]*/y;

type Container = unknown[] | Record<string, unknown>;

/**
 * Reads a JSON text that comes in pieces, each as it comes: so however long it is, no piece takes longer than another. What it reads, and
 * what it refuses, is what `JSON.parse` does with all of it; but a number may have a thousand digits only.
 */
export class JsonReader {
  // A mark at the beginning (BOM) is no JSON.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #open: Container[] = [];
  /** The key whose value comes next, for each open object. */
  readonly #keys: string[] = [];
  #awaited: Awaited = "value";
  #result: unknown;
  /** What has been read of a string that has not ended. */
  #string: string | undefined;
  /** The end of the last piece: a number, a word or an escape that may go on in the next one. */
  #rest = "";
  #values = 0;

  /** How many values have been read so far, those in lists and objects counted. */
  get values(): number {
    return this.#values;
  }

  /** @throws SyntaxError once it can no longer become JSON; it is not to be given more then */
  write(piece: Uint8Array): void {
    this.#read(this.#decoder.decode(piece, { stream: true }), false);
  }

  /** The value, when all has been written. @throws SyntaxError if it is not whole */
  end(): unknown {
    this.#read(this.#decoder.decode(), true);
    if (this.#awaited !== "nothing") throw new SyntaxError("Unexpected end of JSON input");
    return this.#result;
  }

  #read(more: string, isEnd: boolean): void {
    const text = this.#rest + more;
    this.#rest = "";
    for (let at = 0; at < text.length; ) {
      at = this.#string === undefined ? this.#readOutside(text, at, isEnd) : this.#readString(text, at);
    }
  }

  /** Where to go on; the end if what stands there may not be whole. */
  #readOutside(text: string, at: number, isEnd: boolean): number {
    const char = text.charAt(at);
    if (WHITE.has(char)) return at + 1;
    if (char === '"') {
      this.#expect(char, "value", "valueOrEnd", "key", "keyOrEnd");
      this.#string = "";
      return at + 1;
    }
    if (char === "{" || char === "[") {
      this.#expect(char, "value", "valueOrEnd");
      this.#open.push(char === "{" ? {} : []);
      this.#awaited = char === "{" ? "keyOrEnd" : "valueOrEnd";
      return at + 1;
    }
    if (char === "}" || char === "]") {
      this.#close(char);
      return at + 1;
    }
    if (char === ":") {
      this.#expect(char, "colon");
      this.#awaited = "value";
      return at + 1;
    }
    if (char === ",") {
      this.#expect(char, "commaOrEnd");
      this.#awaited = Array.isArray(this.#open.at(-1)) ? "value" : "key";
      return at + 1;
    }
    SCALAR.lastIndex = at;
    const [scalar = ""] = SCALAR.exec(text) ?? [];
    this.#expect(char, "value", "valueOrEnd");
    if (scalar.length > SCALAR_UNITS_MAX) throw new SyntaxError("A number in JSON is too long");
    const end = at + scalar.length;
    if (end === text.length && !isEnd) this.#rest = scalar;
    else this.#take(JSON.parse(scalar === "" ? char : scalar));
    return Math.max(end, at + 1);
  }

  #readString(text: string, at: number): number {
    let end = at;
    let escapeAt = -1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === QUOTE) break;
      if (code !== BACKSLASH) continue;
      escapeAt = end;
      end++;
    }
    // The last escape may go on behind the piece.
    const isCut = end >= text.length;
    if (isCut && escapeAt >= 0 && escapeAt + ESCAPE_UNITS_MAX > text.length) end = escapeAt;
    this.#string += parsedString(text.slice(at, end));
    if (!isCut) return this.#endString(end + 1);
    this.#rest = text.slice(end);
    return text.length;
  }

  #endString(next: number): number {
    const string = this.#string ?? "";
    this.#string = undefined;
    if (this.#awaited === "key" || this.#awaited === "keyOrEnd") {
      this.#keys.push(string);
      this.#awaited = "colon";
    } else this.#take(string);
    return next;
  }

  #close(char: string): void {
    const closed = this.#open.pop();
    const isRight = char === (Array.isArray(closed) ? "]" : "}");
    if (closed === undefined || !isRight) throw unexpected(char);
    this.#expect(char, "commaOrEnd", Array.isArray(closed) ? "valueOrEnd" : "keyOrEnd");
    this.#take(closed);
  }

  /** A value that is whole. */
  #take(value: unknown): void {
    const container = this.#open.at(-1);
    this.#values += 1;
    this.#awaited = container === undefined ? "nothing" : "commaOrEnd";
    if (container === undefined) this.#result = value;
    else if (Array.isArray(container)) container.push(value);
    else addOwn(container, this.#keys.pop() ?? "", value);
  }

  #expect(char: string, ...expected: readonly Awaited[]): void {
    if (!expected.includes(this.#awaited)) throw unexpected(char);
  }
}

/** Made anew, so that no string keeps the piece that it came in. */
function parsedString(escaped: string): string {
  // Boundary: in quotation marks stands a string.
  return JSON.parse(`"${escaped}"`) as string;
}

/** `__proto__` is an own key like any other. */
function addOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function unexpected(char: string): SyntaxError {
  return new SyntaxError(`Unexpected token ${JSON.stringify(char)} in JSON`);
}
