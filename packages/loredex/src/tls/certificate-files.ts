import { readFile } from "node:fs/promises";
import { type Certificate, CertificateError, checkCertificate } from "@loredex/http";
import { UserFileError } from "@loredex/import/files";

/** Where a certificate and its key lie, both in PEM. */
export interface CertificateFiles {
  /** The server's own certificate first, then those that lead to one that clients trust. */
  readonly certFile: string;
  /** Its private key, without a passphrase. */
  readonly keyFile: string;
}

/** What was read of them, with the time until which it holds. */
export interface ReadCertificate extends Certificate {
  readonly from: Date;
  readonly until: Date;
}

/** A pair that was read and that no TLS can be spoken with. */
export class UnfitCertificateError extends CertificateError {
  readonly pair: Certificate;

  constructor(message: string, pair: Certificate, cause: unknown) {
    super(message, { cause });
    this.pair = pair;
  }
}

/** @throws UserFileError for a file that cannot be read, UnfitCertificateError for a pair that no TLS can be spoken with */
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
