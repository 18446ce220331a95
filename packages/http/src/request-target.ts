/** The target of a request, still percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** The scheme and authority that a client may send before the path. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;

export function splitTarget(target: string): RequestTarget {
  const local = target.replace(ABSOLUTE_FORM, "");
  const mark = local.indexOf("?");
  const path = mark === -1 ? local : local.slice(0, mark);
  return { path: path === "" ? "/" : path, query: mark === -1 ? "" : local.slice(mark + 1) };
}

/** The decoded text; undefined if a percent sign starts no valid UTF-8 escape. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A parameter. If it cannot be decoded, its name is as it was written and its value is undefined. */
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
