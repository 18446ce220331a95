/** A shorter body fits into one or two packets uncompressed. */
const BYTES_MIN = 1_024;

type Headers = Readonly<Record<string, string>>;

/**
 * Whether an answer may be compressed. Refusals never are: they are short, and repeat what was sent.
 * An answer with an ETag is not compressed either: its tag is a strong one that names these bytes, and If-Match sends it back.
 * An answer with a length of its own, such as a file, has its coding already.
 * @param bodyBytes of the whole body, or of its beginning
 */
export function isEligible(status: number, headers: Headers, bodyBytes: number): boolean {
  const isChosen = "etag" in headers || "content-encoding" in headers || "content-length" in headers;
  return status === 200 && bodyBytes > BYTES_MIN && !isChosen;
}

/** Adds the header that says that the answer depends on the accepted codings. */
export function varying(headers: Headers): Headers {
  const { vary } = headers;
  return { ...headers, vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding` };
}
