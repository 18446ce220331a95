import { useEffect, useState } from "preact/hooks";
import { call, ofBot } from "../../api/client.ts";
import type { SearchResult } from "../../api/types.ts";
import { returns } from "../../state/connection.ts";

/** The quality of one search. `words`: by words alone. */
export type Quality = "fast" | "best" | "words";

export interface Answers<Asked extends Quality = "fast" | "best"> {
  readonly question: string;
  readonly results: readonly SearchResult[];
  readonly quality: Asked;
  readonly ms: number;
}

/** A document whose rank is to be explained. */
export interface Explained {
  readonly id: string;
  readonly title: string;
}

/** The wait after a key: shorter for the quick answer, longer for the best. */
const FAST_AFTER_MS = 120;
const BEST_AFTER_MS = 280;

/** Answers to a question while it is typed: those of quality `fast`, then those of quality `best`. */
export function useAnswers(
  bot: string,
  question: string,
): { readonly answers: Answers | undefined; readonly error: Error | undefined } {
  const [answers, setAnswers] = useState<Answers>();
  const [error, setError] = useState<Error>();
  // After a return of the server the answers may be others.
  useEffect(() => {
    setError(undefined);
    if (question.trim() === "") {
      setAnswers(undefined);
      return;
    }
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      await sleep(FAST_AFTER_MS);
      if (stop.signal.aborted) return;
      const fast = await search(bot, question, "fast", stop.signal);
      setAnswers(fast);
      await sleep(BEST_AFTER_MS);
      if (stop.signal.aborted) return;
      setAnswers(await search(bot, question, "best", stop.signal));
    };
    run().catch((error: Error) => {
      if (stop.signal.aborted) return;
      setAnswers(undefined);
      setError(error);
    });
    return () => stop.abort();
  }, [bot, question, returns.value]);
  return { answers, error };
}

/** One search of the bot. The clock counts what a user would wait. */
export async function search<Asked extends Quality>(
  bot: string,
  question: string,
  quality: Asked,
  signal: AbortSignal,
): Promise<Answers<Asked>> {
  const from = performance.now();
  const { data } = await call<SearchResult[]>("POST", `${ofBot(bot, "search")}?quality=${quality}`, {
    body: { query: question },
    isRead: true,
    signal,
  });
  return { question, results: data, quality, ms: Math.max(1, Math.round(performance.now() - from)) };
}

export function titleOf({ resourceDocId, metaData }: Pick<SearchResult, "resourceDocId" | "metaData">): string {
  const { title } = metaData;
  return typeof title === "string" && title.trim() !== "" ? title : resourceDocId;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
