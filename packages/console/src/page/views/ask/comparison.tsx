import type { SearchResult } from "../../api/types.ts";
import { ScoreBar } from "../../parts/bar.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { t } from "../../state/preferences.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { type Quality, search, titleOf } from "./use-answers.ts";

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
  const ranking = async (quality: Quality) => (await search(bot, question, quality, signal)).results.map(rankedOf);
  const [words, fast, best] = await Promise.all([ranking("words"), ranking("fast"), ranking("best")]);
  return { words, fast, best };
}

function rankedOf(result: SearchResult) {
  return { id: result.resourceDocId, title: titleOf(result), score: result.bestMatchScore };
}
