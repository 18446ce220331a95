import type { Head } from "./request.ts";
import { WebError } from "./web-error.ts";

const AWAY = new Set([408, 425, 429]);
/** Statuses that usually pass soon. */
const MAY_PASS = new Set([...AWAY, 502, 503, 504]);

/** Returns the error of a status other than 200. */
export function statusError({ status, header }: Head, nowMs: number): WebError {
  if (status === 404 || status === 410) return new WebError("gone", `there is no such page (${status})`);
  if (status === 401 || status === 403 || status === 407) {
    return new WebError("refused", `it needs a login, or is not given to programs (${status})`);
  }
  if (AWAY.has(status) || status >= 500) {
    const retryAfterMs = retryAfterMsOf(header("retry-after"), nowMs);
    const word = status === 429 ? "the server was asked too often" : "the server has a problem";
    return new WebError("away", `${word} (${status})${laterWord(retryAfterMs)}`, {
      retryAfterMs,
      mayPass: MAY_PASS.has(status),
    });
  }
  return new WebError("refused", `the server answers ${status} where a page is expected`);
}

function laterWord(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined || retryAfterMs === 0) return "";
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return `; it asks to come again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}`;
}

/** Parses `Retry-After`, seconds or a date, into milliseconds from now; undefined if there is none. */
function retryAfterMsOf(given: string | undefined, nowMs: number): number | undefined {
  const text = given?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
