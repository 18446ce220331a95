import { HttpError } from "./errors.ts";
import { percentDecoded } from "./request-target.ts";

/** The methods of a route. GET includes HEAD, and every route has OPTIONS. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A path with its handlers. */
export interface Route<Handler> {
  /** For example `/api/v1/knowledge/:id`: a segment after a colon matches any one segment that is not empty. */
  readonly path: string;
  readonly handlers: Readonly<Partial<Record<Method, Handler>>>;
}

export interface RouteMatch<R> {
  readonly route: R;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The decoded segments of a path. A segment that is not percent-encoded UTF-8 stays as it is, and matches nothing. */
export function pathSegments(path: string): readonly string[] {
  return path.split("/").map((segment) => percentDecoded(segment) ?? segment);
}

/** Finds the route of a path. Routes are tried in order, so literal routes stand before those with parameters. */
export function matchRoute<R extends Pick<Route<unknown>, "path">>(
  routes: readonly R[],
  segments: readonly string[],
): RouteMatch<R> | undefined {
  for (const route of routes) {
    const parameters = matchSegments(route.path.split("/"), segments);
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Map<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index];
    if (expected.startsWith(":") && segment) parameters.set(expected.slice(1), segment);
    else if (expected !== segment) return undefined;
  }
  return parameters;
}

/** The handler for a request's method; undefined if the route does not have it. */
export function handlerOf<Handler>(route: Route<Handler>, method: string): Handler | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return isMethod(asked) ? route.handlers[asked] : undefined;
}

/** As {@link handlerOf}. @param allow the methods that a refusal names @throws HttpError `METHOD_NOT_ALLOWED` */
export function handlerFor<Handler>(
  route: Route<Handler>,
  method: string,
  allow: string = allowedMethods([route]),
): Handler {
  const handler = handlerOf(route, method);
  if (handler !== undefined) return handler;
  throw new HttpError("METHOD_NOT_ALLOWED", undefined, { allow });
}

/** The value of an Allow header. */
export function allowedMethods(routes: readonly Route<unknown>[]): string {
  const names = routes.flatMap((route) => Object.keys(route.handlers));
  return [...new Set(names.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]))), "OPTIONS"].join(", ");
}

function isMethod(name: string): name is Method {
  return name === "GET" || name === "POST" || name === "PUT" || name === "DELETE";
}
