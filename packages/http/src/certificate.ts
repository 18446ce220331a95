import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { kinds, requireArguments } from "@loredex/core";

/** The certificate of a server and its private key, both in PEM. */
export interface Certificate {
  /** The server's own certificate first, then the chain to a certificate that clients trust. */
  readonly cert: string;
  /** The private key of the first certificate, without a passphrase. */
  readonly key: string;
}

const A_PEM = kinds.kind<string>(
  "string",
  'the text of a file in PEM, as readFileSync(path, "utf8") gives it',
  (given) => typeof given === "string",
);
export const CERTIFICATE_OPTIONS: kinds.OptionKinds<Certificate> = {
  cert: kinds.required(A_PEM),
  key: kinds.required(A_PEM),
};

/** An error for a certificate that cannot be used for TLS. Its message says what is wrong and what to do. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
}

/** Checks a certificate with its key, and returns the period in which it is valid. @throws CertificateError if TLS cannot use the pair */
export function checkCertificate(certificate: Certificate): { readonly from: Date; readonly until: Date } {
  requireArguments("checkCertificate", { certificate }, { certificate: CERTIFICATE_OPTIONS });
  const { cert, key } = certificate;
  const first = firstOf(cert);
  if (!first.checkPrivateKey(privateKeyOf(key))) {
    throw new CertificateError(
      "The key is not that of the certificate. Give the private key that the certificate was made for; where the file holds several certificates, the server's own must be the first.",
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    // The remaining refusals come from TLS itself: a key that is too weak, or a broken certificate in the chain.
    throw new CertificateError(`TLS cannot be spoken with this certificate: ${reasonOf(cause)}.`, { cause });
  }
  return { from: new Date(first.validFrom), until: new Date(first.validTo) };
}

function firstOf(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (cause) {
    const mend = "It must hold the lines from BEGIN CERTIFICATE to END CERTIFICATE.";
    throw new CertificateError(`The certificate is none in PEM. ${mend}`, { cause });
  }
}

function privateKeyOf(key: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch (cause) {
    const isLocked = key.includes("ENCRYPTED");
    const mend = isLocked
      ? "It has a passphrase. Give one without, which nobody but the server's user may read."
      : "It must hold the lines from BEGIN PRIVATE KEY to END PRIVATE KEY.";
    throw new CertificateError(`The key is none in PEM that can be read. ${mend}`, { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
