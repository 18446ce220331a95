import { call, ofBot } from "../../api/client.ts";

import type { Explanation, SearchResult } from "../../api/types.ts";
import { ScoreBar } from "../../parts/bar.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { t } from "../../state/preferences.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { search, titleOf } from "./use-answers.ts";

interface Ranked {
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

/** Explanations that are asked for at once. */
const AT_ONCE = 3;

/** The same question answered by words, by the static embedder, and by all. */
export function Comparison({ bot, question }: { bot: string; question: string }) {
  const words = t.value.ask;
  const { data, error } = useLoaded((signal) => compare(bot, question, signal), [bot, question]);
  const columns = [
    { name: words.byWords, hint: words.byWordsHint, ranked: data?.words },
    { name: words.byStatic, hint: words.byStaticHint, ranked: data?.fast },
    { name: words.byBest, hint: words.byBestHint, ranked: data?.best },
  ];
  return (
    <section class="comparison" aria-label={words.comparison}>
      <ErrorNotice error={error} />
      {columns.map(({ name, hint, ranked }) => (
        <div class="card comparison-column" key={name}>
          <h2>{name}</h2>
          <p class="hint">{hint}</p>
          {ranked === undefined && error === undefined && <p class="muted">{t.value.shell.loading} …</p>}
          <ol class="ranking" aria-label={name}>
            {ranked?.map(({ id, title, score }) => (
              <li key={id}>
                <span class="ranking-title">{title}</span>
                <ScoreBar value={score} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

async function compare(bot: string, question: string, signal: AbortSignal) {
  const [fast, best] = await Promise.all([
    search(bot, question, "fast", signal),
    search(bot, question, "best", signal),
  ]);
  const found = new Map([...fast.results, ...best.results].map((result) => [result.resourceDocId, result]));
  return {
    fast: fast.results.map(rankedOf),
    best: best.results.map(rankedOf),
    words: await byWords(bot, question, [...found.values()], signal),
  };
}

/** No search answers by words alone on a bot with an embedder: an explanation tells what the words of a document give it. */
async function byWords(bot: string, query: string, found: readonly SearchResult[], signal: AbortSignal) {
  const ranked: Ranked[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const some = found.slice(at, at + AT_ONCE).map(async (result) => {
      const body = { query, id: result.resourceDocId };
      const { data } = await call<Explanation>("POST", ofBot(bot, "explain"), { body, isRead: true, signal });
      ranked.push({ ...rankedOf(result), score: Math.max(0, ...data.passages.map(({ lexical }) => lexical)) });
    });
    await Promise.all(some);
  }
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function rankedOf(result: SearchResult): Ranked {
  return { id: result.resourceDocId, title: titleOf(result), score: result.bestMatchScore };
}
