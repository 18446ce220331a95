import { type Logger, systemReason } from "@loredex/core";
import type { Certificate } from "@loredex/http";
import { type ReadCertificate, UnfitCertificateError } from "./certificate-files.ts";

/** What following needs of the world. */
export interface FollowedFiles {
  read(): Promise<ReadCertificate>;
  /** Has new connections get it. */
  use(certificate: Certificate): void;
  readonly logger: Logger;
  nowMs(): number;
  /** Has it run again and again, with so many milliseconds between; returns what ends that. */
  every(ms: number, run: () => void): () => void;
}

export interface FollowedCertificate {
  /** Looks at once, and tells what is wrong with the files, unless one of the two is new alone. */
  readAgain(): Promise<void>;
  stop(): void;
}

/** How often the files are read: a renewed certificate is there soon, and a folder of links that are switched is seen as well. */
const LOOK_MS = 10_000;
const DAY_MS = 86_400_000;
/** Who renews by a program does so a month before; who is told now has time for it. */
const WARNED_BEFORE_MS = 14 * DAY_MS;

/** Keeps to a certificate and its key on the disk as they change. What is wrong with new ones is told, and the old ones stay. */
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
    // Whoever renews writes two files, one after the other: what is wrong now may be right at the next look.
    const isAwaited = isAsked && isHalfOfAnother(error, current);
    const isNew = problem !== told && !isAwaited && (isAsked || problem === seen);
    if (!isAsked) seen = problem;
    if (isNew) {
      told = problem;
      const next = `The server goes on with the pair that it has; put both files in place, and they are read again within ${LOOK_MS / 1_000} seconds.`;
      logger({ level: "warn", event: "certificateRefused", message: `${problem} ${next}` });
    } else if (isAwaited) {
      const message = `One of the two files is new and does not fit the other. Both are read again in ${LOOK_MS / 1_000} seconds; until they fit, the server goes on with the pair that it has.`;
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

/** Whether one file of the pair is another than what is used, and the other is not: it may be on its way. */
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
