import { LoredexError } from "./error.ts";

const STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the error of an answer that redirects, or that was redirected; undefined for every other answer. Loredex never redirects, and the key is only for the
 * given address. Browsers tell neither the status nor the target.
 * @param url the requested address
 */
export function redirectProblem(response: Response, url: string): LoredexError | undefined {
  const { status, type, redirected, headers } = response;
  if (type !== "opaqueredirect" && !redirected && !STATUSES.has(status)) return undefined;
  const to = redirected ? response.url : headers.get("location");
  // The caller's own `fetch` may have followed it.
  const sent = redirected ? "the key may have been sent there" : "the key was sent nowhere else";
  return new LoredexError({
    message: `${url} redirects to ${(to && resolved(to, url)) || "another address"}. Loredex never redirects, and ${sent}: give the server's own address as baseUrl.`,
    ...(STATUSES.has(status) && { status }),
    isFinal: true,
  });
}

/** Resolves the target, without its query, which may contain secrets. */
function resolved(to: string, url: string): string | undefined {
  try {
    const { origin, pathname } = new URL(to, url);
    return origin === "null" ? undefined : origin + pathname;
  } catch {
    return undefined;
  }
}
