import { type Logger, systemReason } from "@loredex/core";
import type { Certificate } from "@loredex/http";
import { type ReadCertificate, UnfitCertificateError } from "./certificate-files.ts";

/** The surroundings of a followed certificate. */
export interface FollowedFiles {
  read(): Promise<ReadCertificate>;
  /** Uses the certificate for new connections. */
  use(certificate: Certificate): void;
  readonly logger: Logger;
  nowMs(): number;
  /** Runs it repeatedly, every `ms` milliseconds. Returns a function that ends it. */
  every(ms: number, run: () => void): () => void;
}

export interface FollowedCertificate {
  /** Reads the files now, and logs problems with them, unless only one of the two files is new. */
  readAgain(): Promise<void>;
  stop(): void;
}

/** The interval between two reads, in milliseconds. Reading also detects a switched link of a folder, and a renewed certificate is soon in use. */
const LOOK_MS = 10_000;
const DAY_MS = 86_400_000;
/** The remaining time from which on expiry is logged. Automatic renewal happens a month before, so this still leaves time. */
const WARNED_BEFORE_MS = 14 * DAY_MS;

/** Follows the files of a certificate and its key, and uses them when they change. Problems with new files are logged, and the old pair stays in use. */
export function followCertificate(first: ReadCertificate, files: FollowedFiles): FollowedCertificate {
  const { logger } = files;
  let current = first;
  let [seen, told] = ["", ""];
  let warnedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> = Promise.resolve();

  const warnOfEnd = (): void => {
    const nowMs = files.nowMs();
    const { from, until } = current;
    if (nowMs - warnedMs < DAY_MS) return;
    const message = describedEnd(from, until, nowMs);
    if (message === undefined) return;
    warnedMs = nowMs;
    logger({ level: "warn", event: "certificateEnds", message });
  };

  const refuse = (error: unknown, isAsked: boolean): void => {
    const problem = systemReason(error);
    // A renewal writes two files one after the other, so a bad pair may be good at the next read.
    const isAwaited = isAsked && isHalfOfAnother(error, current);
    const isNew = problem !== told && !isAwaited && (isAsked || problem === seen);
    if (!isAsked) seen = problem;
    if (isNew) {
      told = problem;
      const next = `The server continues with the pair that it has; put both files in place, and they are read again within ${LOOK_MS / 1_000} seconds.`;
      logger({ level: "warn", event: "certificateRefused", message: `${problem} ${next}` });
    } else if (isAwaited) {
      const message = `One of the two files is new and does not fit the other. Both are read again in ${LOOK_MS / 1_000} seconds; until they fit, the server continues with the pair that it has.`;
      logger({ level: "info", event: "certificateAwaited", message });
    }
  };

  const look = async (isAsked: boolean): Promise<void> => {
    try {
      const found = await files.read();
      [seen, told] = ["", ""];
      if (found.cert !== current.cert || found.key !== current.key) {
        files.use(found);
        current = found;
        warnedMs = Number.NEGATIVE_INFINITY;
        const message = `New connections get another certificate, which holds until ${found.until.toISOString()}.`;
        logger({ level: "info", event: "certificateRenewed", message });
      }
    } catch (error) {
      refuse(error, isAsked);
    }
    warnOfEnd();
  };
  const next = (isAsked: boolean): Promise<void> => {
    looking = looking.then(() => look(isAsked));
    return looking;
  };

  warnOfEnd();
  const stop = files.every(LOOK_MS, () => void next(false));
  return { readAgain: () => next(true), stop };
}

/** Whether exactly one file of the pair differs from the one in use: the other may still be on its way. */
function isHalfOfAnother(error: unknown, { cert, key }: Certificate): boolean {
  return error instanceof UnfitCertificateError && (error.pair.cert === cert) !== (error.pair.key === key);
}

function describedEnd(from: Date, until: Date, nowMs: number): string | undefined {
  const renew = "Renew it; the files are read again by themselves.";
  if (nowMs < from.getTime())
    return `The certificate holds from ${from.toISOString()} only: clients refuse it until then.`;
  const leftMs = until.getTime() - nowMs;
  if (leftMs <= 0) return `The certificate has run out, at ${until.toISOString()}: clients refuse it. ${renew}`;
  if (leftMs < WARNED_BEFORE_MS) return `The certificate runs out at ${until.toISOString()}. ${renew}`;
  return undefined;
}
