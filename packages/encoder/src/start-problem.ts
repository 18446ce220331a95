import { EmbedderError } from "@loredex/core";

/** How a worker's process ended. */
export interface Ending {
  /** Set if it could not be started or reached. */
  readonly error?: Error;
  /** The signal or exit code: "SIGKILL", "code 1". */
  readonly how?: string;
  /** Set if it was killed after this many milliseconds of silence. */
  readonly silentMs?: number;
}

const MORE_MEMORY =
  "give this machine or container more memory: a system that has too little left ends programs in this way";
const MORE_PROCESSES = "let the user of this program have more processes and memory (ulimit -u)";
const START_AGAIN = "start this program again: the Node.js that runs it is no longer where it was";
const WAIT =
  "see what else this machine has to do, and that the disk with the installed packages answers; then start this program again";
const LOOK =
  "what it said of it stands in the error output of this program; if files are missing, install again (npm ci)";

/** Remedies for a system that starts no process, by the system's error code. */
const MENDS: Readonly<Record<string, string>> = {
  EAGAIN: MORE_PROCESSES,
  ENOMEM: MORE_PROCESSES,
  EMFILE: "let this program open more files (ulimit -n)",
  ENOENT: START_AGAIN,
};

/** Returns the error `EMBEDDER_UNAVAILABLE` for a process that ended before it was ready. */
export function startProblem({ error, how = "no word", silentMs }: Ending): EmbedderError {
  if (silentMs !== undefined) {
    return unavailable(`its process said nothing for ${silentMs / 1_000} seconds at its start`, { mend: WAIT });
  }
  if (error === undefined) {
    const mend = how === "SIGKILL" ? MORE_MEMORY : LOOK;
    return unavailable(`its process ended at its start, with ${how}`, { mend });
  }
  const mend = "code" in error && typeof error.code === "string" ? MENDS[error.code] : undefined;
  return unavailable(`its process can't be started: ${error.message}`, { cause: error, mend });
}

function unavailable(why: string, options: { cause?: Error; mend: string | undefined }): EmbedderError {
  return new EmbedderError("EMBEDDER_UNAVAILABLE", why, options);
}
