import type { SearchResult } from "../../api/types.ts";
import { ScoreBar } from "../../parts/bar.tsx";
import { t } from "../../state/preferences.ts";
import { titleOf } from "./use-answers.ts";

interface Props {
  readonly results: readonly SearchResult[];
  readonly shown: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onExplain: (result: SearchResult) => void;
}

/** The documents found, best first, each with its marked parts. */
export function AnswerList({ results, shown, onOpen, onExplain }: Props) {
  const words = t.value.ask;
  return (
    <ol class="answers" aria-label={words.answers}>
      {results.map((result) => (
        <li
          key={result.resourceDocId}
          class={result.resourceDocId === shown ? "card answer answer-shown" : "card answer"}
        >
          <div class="answer-head">
            <h2>{titleOf(result)}</h2>
            <ScoreBar value={result.bestMatchScore} />
          </div>
          {result.similarTextParts.map((part) => (
            <blockquote class="part" key={`${part.start}-${part.stop}`}>
              <mark>{part.text}</mark>
              <span class="part-lines">{words.lines(part.start, part.stop)}</span>
            </blockquote>
          ))}
          <div class="answer-foot">
            <span class="badge">{t.value.knowledge.types[result.type] ?? result.type}</span>
            {result.status !== "active" && (
              <span class="badge badge-warn">{t.value.knowledge.statuses[result.status] ?? result.status}</span>
            )}
            <span class="spread" />
            <button
              type="button"
              class="button-quiet"
              aria-pressed={result.resourceDocId === shown}
              onClick={() => onOpen(result.resourceDocId)}
            >
              {words.open}
            </button>
            <button type="button" class="button-quiet" onClick={() => onExplain(result)}>
              {words.why}
            </button>
          </div>
        </li>
      ))}
    </ol>
  );
}
