/** Shorter bodies fit into a packet or two as they are. */
const BYTES_MIN = 1_024;

type Headers = Readonly<Record<string, string>>;

/**
 * Whether an answer may be compressed. Refusals never are: they are short, and repeat what was sent. An answer with an ETag is not either: its tag is
 * a strong one, which names these bytes, and is what an If-Match sends back. What comes with a length of its own, as a file, has been chosen already.
 * @param bodyBytes of the whole body, or of its beginning
 */
export function isEligible(status: number, headers: Headers, bodyBytes: number): boolean {
  const isChosen = "etag" in headers || "content-encoding" in headers || "content-length" in headers;
  return status === 200 && bodyBytes > BYTES_MIN && !isChosen;
}

/** Headers that say that the answer would be another one for who accepts other codings. */
export function varying(headers: Headers): Headers {
  const { vary } = headers;
  return { ...headers, vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding` };
}
