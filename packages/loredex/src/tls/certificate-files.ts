import { readFile } from "node:fs/promises";
import { type Certificate, CertificateError, checkCertificate } from "@loredex/http";
import { UserFileError } from "@loredex/import/files";

/** The files of a certificate and its key, both in PEM. */
export interface CertificateFiles {
  /** The server's own certificate first, then the chain to a certificate that clients trust. */
  readonly certFile: string;
  /** The private key, without a passphrase. */
  readonly keyFile: string;
}

/** The contents of the files, with the period of validity. */
export interface ReadCertificate extends Certificate {
  readonly from: Date;
  readonly until: Date;
}

/** An error for a pair that was read but cannot be used for TLS. */
export class UnfitCertificateError extends CertificateError {
  readonly pair: Certificate;

  constructor(message: string, pair: Certificate, cause: unknown) {
    super(message, { cause });
    this.pair = pair;
  }
}

/** Reads and checks the pair. @throws UserFileError for a file that cannot be read, UnfitCertificateError for a pair that TLS cannot use */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<ReadCertificate> {
  const [cert, key] = await Promise.all([textOf(certFile), textOf(keyFile)]);
  try {
    return { cert, key, ...checkCertificate({ cert, key }) };
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    const message = `The certificate ${certFile} with the key ${keyFile}: ${error.message}`;
    throw new UnfitCertificateError(message, { cert, key }, error);
  }
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw new UserFileError(path, "read", cause);
  });
}
