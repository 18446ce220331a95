/** Error codes for certificates, as OpenSSL and Node name them. */
const CODE = /CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER|GET_CRL)|^HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)/;
/** The issuer is unknown here; other codes mean errors with any issuer. */
const UNKNOWN_ISSUER = /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED/;

/**
 * Returns the certificate's problem and the remedy; undefined for other errors, and in browsers, which do not name the problem. Sending again does not help.
 */
export function certificateProblem(error: unknown, address: string): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!(cause instanceof Error) || !CODE.test(code)) return undefined;
  const mend = UNKNOWN_ISSUER.test(code)
    ? "If it is one of your own, start the program with the file of the certificate, or of who issued it, in NODE_EXTRA_CA_CERTS."
    : "The server needs another certificate, or baseUrl the name that this one is for.";
  return `The certificate of ${address} is not trusted (${cause.message || code}). ${mend}`;
}
