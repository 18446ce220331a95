/** Where a request goes, still percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Scheme and authority, which a client may send in front of the path. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;

export function splitTarget(target: string): RequestTarget {
  const local = target.replace(ABSOLUTE_FORM, "");
  const mark = local.indexOf("?");
  const path = mark === -1 ? local : local.slice(0, mark);
  return { path: path === "" ? "/" : path, query: mark === -1 ? "" : local.slice(mark + 1) };
}

/** The decoded text, or undefined where a percent sign starts no valid UTF-8 escape. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A parameter as it is written where it cannot be decoded; then its value is undefined. */
type QueryParameter = readonly [name: string, value: string | undefined];

/** The parameters of a query string, decoded, in their order. */
export function queryParameters(query: string): readonly QueryParameter[] {
  const parameters: QueryParameter[] = [];
  for (const part of query.split("&")) {
    if (part === "") continue;
    const [rawName = "", ...rawValue] = part.replaceAll("+", " ").split("=");
    const name = percentDecoded(rawName);
    const value = percentDecoded(rawValue.join("="));
    parameters.push([name ?? rawName, name === undefined ? undefined : value]);
  }
  return parameters;
}
