import { LoredexError } from "@loredex/client";
import { useCallback, useEffect, useState } from "react";
import type { Chosen, Found, Knowledge } from "./knowledge.ts";

/** How long the user must pause before a request is sent, in milliseconds. */
const PAUSE_MS = 200;
const RETRY_SECONDS_MAX = 120;

export interface Problem {
  readonly message: string;
  /** Seconds until the page tries again by itself; undefined if only the user does. */
  readonly retrySeconds?: number;
}

export interface Search {
  readonly state: "idle" | "searching" | "found" | "failed";
  /** The last answer. It stays while the next one is awaited, and after a failure. */
  readonly answer?: { readonly question: string; readonly found: Found };
  /** Present if the state is `failed`. */
  readonly problem?: Problem;
}

/** Searches while the user types. The answer to an earlier question never replaces that to a later one: it is aborted. */
export function useSearch(knowledge: Knowledge, typed: string, chosen: Chosen): readonly [Search, retry: () => void] {
  const [search, setSearch] = useState<Search>({ state: "idle" });
  const [tries, setTries] = useState(0);
  const retry = useCallback(() => setTries((before) => before + 1), []);
  const question = typed.trim();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try sends the same request again
  useEffect(() => {
    if (question === "") return setSearch({ state: "idle" });
    return afterPause(async (signal) => {
      setSearch(({ answer }) => ({ state: "searching", ...(answer && { answer }) }));
      try {
        const found = await knowledge.find(question, chosen, signal);
        if (!signal.aborted) setSearch({ state: "found", answer: { question, found } });
      } catch (error) {
        if (signal.aborted) return;
        setSearch(({ answer }) => ({ state: "failed", problem: problemOf(error), ...(answer && { answer }) }));
      }
    });
  }, [knowledge, question, chosen, tries]);

  const { problem } = search;
  useEffect(() => {
    if (problem === undefined) return;
    window.addEventListener("online", retry);
    const seconds = problem.retrySeconds;
    const timer = seconds === undefined ? undefined : setTimeout(retry, seconds * 1_000);
    return () => {
      window.removeEventListener("online", retry);
      clearTimeout(timer);
    };
  }, [problem, retry]);

  return [search, retry];
}

/** Suggestions for the typed text; none after a failure, which the search reports. */
export function useSuggestions(knowledge: Knowledge, typed: string): readonly string[] {
  const [suggestions, setSuggestions] = useState<readonly string[]>([]);
  const prefix = typed.trim();
  useEffect(() => {
    if (prefix === "") return setSuggestions([]);
    return afterPause(async (signal) => {
      const texts = await knowledge.suggest(prefix, signal).catch(() => []);
      if (!signal.aborted) setSuggestions([...new Set(texts)]);
    });
  }, [knowledge, prefix]);
  return suggestions;
}

/** Does the work after a pause. Returns a function that cancels it. */
function afterPause(work: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  const timer = setTimeout(() => void work(controller.signal), PAUSE_MS);
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof LoredexError)) return { message: "The page has a fault. Load it again." };
  const { status, retryAfterSeconds, isWorthWaiting } = error;
  if (isWorthWaiting && retryAfterSeconds !== undefined && retryAfterSeconds <= RETRY_SECONDS_MAX) {
    return { message: `Many people search now. Next try in ${retryAfterSeconds} s.`, retrySeconds: retryAfterSeconds };
  }
  if (status === undefined) {
    return navigator.onLine
      ? { message: "The search cannot be reached." }
      : { message: "You are offline. The search continues when you are online again." };
  }
  if (status === 401 || status === 403) return { message: "This page may not search. Tell the people who run it." };
  return { message: error.message };
}
