/**
 * `JSON.parse`, with every key as it is written. V8 from 12.8 on (Node 24 and later) takes a key with an escape for one that an object of the same
 * keys had before, if the written one begins like that: after `{"a":0,"\\u":1}` the keys of `{"a":0,"\u4ef7\u683c":1}` are `a` and `\u`
 * (nodejs/node#63785). So whoever writes one text could change what is read of another's.
 * @throws SyntaxError as `JSON.parse` does
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return MISREADS_KEYS && hasEscapedKey(text) ? readByKeys(text) : value;
}

/** Whether this process has that fault. */
const MISREADS_KEYS = misreadsKeys();

function misreadsKeys(): boolean {
  JSON.parse('{"loredex":0,"\\\\":0}');
  return !Object.hasOwn(JSON.parse('{"loredex":0,"\\n":0}'), "\n");
}

/** Whether a key is written with an escape. In one pass, whatever the text is. @param text JSON that has been parsed */
export function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", at)) {
    at = closingQuote(text, at) + 1;
    while (SPACES.includes(text[at] ?? "no")) at++;
    if (text[at] === ":") return true;
  }
  return false;
}

/** Of the string that `from` is in. */
function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); ; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === "\\") first--;
    if ((quote - first) % 2 === 0) return quote;
  }
}

/** An object or a list that is being read. */
interface Level {
  readonly into: unknown[] | Record<string, unknown>;
  /** Of an object: undefined where the next string is a key. */
  key: string | undefined;
}

/** The value, key by key, in some ten times the time. @param text JSON that has been parsed */
export function readByKeys(text: string): unknown {
  const levels: Level[] = [];
  let whole: unknown;
  const put = (value: unknown): void => {
    const level = levels.at(-1);
    if (level === undefined) whole = value;
    else if (Array.isArray(level.into)) level.into.push(value);
    else {
      setOwn(level.into, level.key ?? "", value);
      level.key = undefined;
    }
  };
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (mark === '"') {
      const end = closingQuote(text, at + 1);
      const read = String(JSON.parse(text.slice(at, end + 1)));
      const level = levels.at(-1);
      if (level === undefined || level.key !== undefined || Array.isArray(level.into)) put(read);
      else level.key = read;
      at = end;
    } else if (mark === "{" || mark === "[") {
      levels.push({ into: mark === "{" ? {} : [], key: undefined });
    } else if (mark === "}" || mark === "]") {
      put(levels.pop()?.into);
    } else if (STARTS_SCALAR.test(mark)) {
      SCALAR.lastIndex = at;
      const [written = mark] = SCALAR.exec(text) ?? [];
      put(JSON.parse(written));
      at += written.length - 1;
    }
  }
  return whole;
}

/** `__proto__` is a key like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

const SPACES = " \t\r\n";
const STARTS_SCALAR = /[-\da-z]/;
/** A number, true, false or null. */
const SCALAR = /[-+.\da-zE]+/y;
