import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get, ofBot } from "../api/client.ts";
import type { Job } from "../api/types.ts";

const POLL_MS = 400;

export interface Watched {
  readonly job: Job | undefined;
  readonly error: Error | undefined;
  /** The server was restarted, and knows the job no more. */
  readonly isLost: boolean;
  readonly watch: (job: Job) => void;
}

/** Follows a job of the server until it ends. */
export function useJob(bot: string, onEnd: (job: Job) => void): Watched {
  const [job, setJob] = useState<Job>();
  const [error, setError] = useState<Error>();
  const [isLost, setLost] = useState(false);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const id = job?.state === "running" ? job.id : undefined;
  useEffect(() => {
    if (id === undefined) return;
    const stop = new AbortController();
    follow(bot, id, stop.signal, setJob).then(
      (last) => ended.current(last),
      (error: Error) => {
        if (stop.signal.aborted) return;
        setJob(undefined);
        if (error instanceof ApiError && error.status === 404) setLost(true);
        else setError(error);
      },
    );
    return () => stop.abort();
  }, [bot, id]);
  const watch = (begun: Job): void => {
    setLost(false);
    setError(undefined);
    setJob(begun);
    if (begun.state !== "running") ended.current(begun);
  };
  return { job, error, isLost, watch };
}

/** Asks for a job until it ends. */
export async function follow(
  bot: string,
  id: string,
  signal: AbortSignal,
  onProgress: (job: Job) => void,
): Promise<Job> {
  for (;;) {
    const job = await get<Job>(ofBot(bot, "jobs", id), signal);
    onProgress(job);
    if (job.state !== "running") return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}
