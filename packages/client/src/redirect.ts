import { LoredexError } from "./error.ts";

const STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * The error of an answer that sends to another address, or that comes from one; undefined for every other answer. Loredex never redirects, and
 * the key is only for the address that was given. Browsers tell neither the status nor where to.
 * @param url what was asked
 */
export function redirectProblem(response: Response, url: string): LoredexError | undefined {
  const { status, type, redirected, headers } = response;
  if (type !== "opaqueredirect" && !redirected && !STATUSES.has(status)) return undefined;
  const to = redirected ? response.url : headers.get("location");
  // A `fetch` of the caller's own may have followed it.
  const sent = redirected ? "the key may have been sent there" : "the key was sent nowhere else";
  return new LoredexError({
    message: `${url} redirects to ${(to && resolved(to, url)) || "another address"}. Loredex never redirects, and ${sent}: give the server's own address as baseUrl.`,
    ...(STATUSES.has(status) && { status }),
    isFinal: true,
  });
}

/** Without a query, in which secrets may stand. */
function resolved(to: string, url: string): string | undefined {
  try {
    const { origin, pathname } = new URL(to, url);
    return origin === "null" ? undefined : origin + pathname;
  } catch {
    return undefined;
  }
}
