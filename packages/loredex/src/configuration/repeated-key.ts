const STRINGS_AND_SIGNS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * A key that appears twice at the top level of a JSON object; undefined if there is none. Parsers silently take the later one.
 * @param json valid JSON
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
