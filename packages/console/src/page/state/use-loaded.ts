import { useEffect, useState } from "preact/hooks";
import { returns } from "./connection.ts";

export interface Loaded<Data> {
  /** Kept while the same is loaded again. */
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<Data> {
  /** The dependencies that `data` was loaded with. */
  readonly of: readonly unknown[];
  readonly data?: Data | undefined;
  readonly error?: Error | undefined;
  readonly isLoading: boolean;
}

/**
 * Loads data when `dependencies` change, when the server has come back, and when `reload` is called. Undefined from `load`: there is nothing to load.
 * @param everyMs also repeated this long after each answer
 */
export function useLoaded<Data>(
  load: (signal: AbortSignal) => Promise<Data> | undefined,
  dependencies: readonly unknown[],
  everyMs?: number,
): Loaded<Data> {
  const [state, setState] = useState<State<Data>>({ of: [], isLoading: true });
  const [count, setCount] = useState(0);
  // The caller names what `load` reads.
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      try {
        const data = await load(stop.signal);
        if (!stop.signal.aborted) setState({ of: dependencies, data, isLoading: false });
      } catch (error) {
        if (!stop.signal.aborted) setState((before) => ({ ...before, error: error as Error, isLoading: false }));
      }
      if (everyMs !== undefined && !stop.signal.aborted) timer = setTimeout(run, everyMs);
    };
    setState((before) => ({ of: before.of, data: before.data, isLoading: true }));
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [...dependencies, count, returns.value]);
  const isCurrent = state.of.length === dependencies.length && state.of.every((each, i) => each === dependencies[i]);
  return {
    data: isCurrent ? state.data : undefined,
    error: state.error,
    isLoading: state.isLoading,
    reload: () => setCount((before) => before + 1),
  };
}
