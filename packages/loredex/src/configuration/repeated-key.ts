const STRINGS_AND_SIGNS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * A key that an object of JSON has twice at its top; undefined if there is none. Of two, a parser takes the later one without a word.
 * @param json valid
 */
export function repeatedKey(json: string): string | undefined {
  const keys = new Set<string>();
  let depth = 0;
  let string = "";
  for (const [token] of json.matchAll(STRINGS_AND_SIGNS)) {
    if (token.startsWith('"')) string = token;
    else if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token === ":" && depth === 1) {
      const key = String(JSON.parse(string));
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}
