/** The tokens that may come next, outside of strings. */
type Awaited = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "nothing";

const QUOTE = 34;
const BACKSLASH = 92;
/** The longest escape of one unit, `\uXXXX`. */
const ESCAPE_UNITS_MAX = 6;

/** The longest number or word that is read, in UTF-16 units. */
const SCALAR_UNITS_MAX = 1_000;

const WHITE = new Set(" \t\n\r");
const SCALAR = /[-+.0-9A-Za-z]*/y;

type Container = unknown[] | Record<string, unknown>;

/**
 * An incremental JSON parser: it parses each piece of a text as it arrives, so no piece takes longer than another, however long the text.
 * It accepts and returns the same as `JSON.parse`, except that a number may have a thousand digits at most.
 */
export class JsonReader {
  // A byte order mark at the beginning is no JSON.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #open: Container[] = [];
  /** The key of the next value, for each open object. */
  readonly #keys: string[] = [];
  #awaited: Awaited = "value";
  #result: unknown;
  /** The part of an unfinished string that has been read. */
  #string: string | undefined;
  /** The end of the last piece: a number, a word or an escape that may continue in the next one. */
  #rest = "";
  #values = 0;

  /** The number of values read so far, including those in lists and objects. */
  get values(): number {
    return this.#values;
  }

  /** Parses a piece. @throws SyntaxError as soon as the text cannot be JSON; the reader must not be used afterwards */
  write(piece: Uint8Array): void {
    this.#read(this.#decoder.decode(piece, { stream: true }), false);
  }

  /** Ends the text, and returns its value. @throws SyntaxError if the text is incomplete */
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

  /** Reads one token outside of strings. Returns the index behind it, or the end if the token may continue in the next piece. */
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
    // The last escape may continue in the next piece.
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

  /** Adds a complete value. */
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

/** Unescapes a string. It is a new string, so it does not keep its whole piece in memory. */
function parsedString(escaped: string): string {
  // Boundary: the text is in quotation marks, so it is a string.
  return JSON.parse(`"${escaped}"`) as string;
}

/** Adds a field. `__proto__` is an own key like any other. */
function addOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function unexpected(char: string): SyntaxError {
  return new SyntaxError(`Unexpected token ${JSON.stringify(char)} in JSON`);
}
