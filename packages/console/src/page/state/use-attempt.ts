import { useState } from "preact/hooks";

export interface Attempts {
  /** Why the last attempt failed. */
  readonly problem: Error | undefined;
  readonly isBusy: boolean;
  /** Resolves to whether it succeeded. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** What a person tries to do: its error is kept for an `ErrorNotice`. */
export function useAttempt(): Attempts {
  const [problem, setProblem] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error as Error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, attempt };
}
