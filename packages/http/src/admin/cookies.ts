import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** The cookie of a session. */
const SESSION_COOKIE = "loredex_session";
/** Of a token as the server makes it. Another text is no cookie of ours. */
const TOKEN = /^[A-Za-z0-9_.-]{1,512}$/;
/** Ends the cookie of a session that was opened by https. */
const BY_HTTPS = "~s";

/** The token of the session's cookie; undefined if there is none, or if it was sent twice. */
export function tokenOf(request: IncomingMessage): string | undefined {
  const value = cookieOf(request);
  const token = value?.endsWith(BY_HTTPS) ? value.slice(0, -BY_HTTPS.length) : value;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

function cookieOf({ headersDistinct }: IncomingMessage): string | undefined {
  const tokens = (headersDistinct.cookie ?? [])
    .flatMap((header) => header.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  const [token, ...more] = tokens;
  return more.length === 0 ? token : undefined;
}

/** The header that gives a browser its session. Scripts cannot read it, and no other site's page sends it. */
export function sessionCookie(request: IncomingMessage, token: string, seconds: number): string {
  const [scheme, secure] = isSecure(request) ? [BY_HTTPS, "; Secure"] : ["", ""];
  return `${SESSION_COOKIE}=${token}${scheme}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** Whether the browser reached this server by https: by TLS of its own, or of a proxy, which the browser's Origin tells. */
function isSecure(request: IncomingMessage): boolean {
  return request.socket instanceof TLSSocket || originOf(request)?.protocol === "https:";
}

/** Whether the Origin has the scheme by which the session was opened. A proxy that ends TLS asks by http, whatever the browser did. */
export function isOfSessionScheme(request: IncomingMessage): boolean {
  return (originOf(request)?.protocol === "https:") === (cookieOf(request)?.endsWith(BY_HTTPS) === true);
}

/** Whether the Origin is of the host that was asked. @returns undefined without the header */
export function isSameOrigin(request: IncomingMessage): boolean | undefined {
  if (request.headersDistinct.origin === undefined) return undefined;
  const origin = originOf(request);
  const hosts = request.headersDistinct.host ?? [];
  if (origin === undefined || hosts.length !== 1) return false;
  // Read by the same rules, so that a default port or upper case make no difference.
  const asked = `${origin.protocol}//${hosts[0]}`;
  return URL.canParse(asked) && new URL(asked).host === origin.host;
}

function originOf({ headersDistinct }: IncomingMessage): URL | undefined {
  const [text, ...more] = headersDistinct.origin ?? [];
  if (text === undefined || more.length > 0 || !URL.canParse(text)) return undefined;
  const origin = new URL(text);
  return origin.protocol === "http:" || origin.protocol === "https:" ? origin : undefined;
}
