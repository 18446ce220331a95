import { WebError } from "./web-error.ts";

/** Messages for connection failures, by error code. All are `away`. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host; check the address",
  ENODATA: "there is no such host; check the address",
  EAI_AGAIN: "the name of the host cannot be looked up now; check the network",
  ECONNREFUSED: "nothing answers there; check the address and its port",
  ECONNRESET: "the connection ended before the page was whole",
  EPIPE: "the connection ended before the page was whole",
  ETIMEDOUT: "nobody answers there",
  EHOSTUNREACH: "there is no way to this host",
  ENETUNREACH: "there is no way to this host; check the network",
  EPROTO: "the server does not speak https there",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not speak https there",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; check the clock of this machine",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is that of another host",
  Z_DATA_ERROR: "what it sends is damaged: it cannot be unpacked",
  Z_BUF_ERROR: "the connection ended before the page was whole",
};

const MAY_PASS = new Set(["EAI_AGAIN", "ECONNRESET", "EPIPE", "Z_BUF_ERROR"]);

const UNKNOWN_ISSUER = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

/** Returns the WebError of a network error. */
export function networkError(error: unknown): WebError {
  if (error instanceof WebError) return error;
  // Several addresses of a host were tried: the first error says enough.
  if (error instanceof AggregateError && error.errors.length > 0) return networkError(error.errors[0]);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  return new WebError("away", wordsFor(error, code), { mayPass: MAY_PASS.has(code), cause: error });
}

function wordsFor(error: unknown, code: string): string {
  if (UNKNOWN_ISSUER.has(code)) {
    return "its certificate is signed by nobody that this machine trusts; if it is your own, name the file with its issuer's certificate in NODE_EXTRA_CA_CERTS";
  }
  if (code.startsWith("HPE_")) return "what answers there does not speak HTTP";
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}
