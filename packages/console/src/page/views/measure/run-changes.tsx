import type { Changed } from "../../api/runs.ts";
import type { Run, RunMiss } from "../../api/types.ts";
import { score, score3 } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";

interface Props {
  readonly before: Run;
  readonly after: Run;
  readonly names: readonly [string, string];
  readonly better: readonly Changed[];
  readonly worse: readonly Changed[];
}

/** Two runs side by side: their measures, and the questions that changed. */
export function RunChanges({ before, after, names, better, worse }: Props) {
  const words = t.value.measure;
  const rows = [
    { name: words.ndcg, of: (run: Run) => run.measures.ndcgAt10 },
    { name: words.mrr, of: (run: Run) => run.measures.mrrAt10 },
    { name: words.recall, of: (run: Run) => run.measures.recallAt10 },
  ];
  return (
    <>
      <dl class="figures">
        {rows.map(({ name, of }) => {
          const difference = of(after) - of(before);
          return (
            <div key={name} class="figure">
              <dt>{name}</dt>
              <dd>
                <span class="hidden">{names[0]} </span>
                <span class="muted">{score3(of(before))}</span>
                <span aria-hidden="true"> → </span>
                <span class="hidden">, {names[1]} </span>
                <strong>{score3(of(after))}</strong>
                <span class={difference > 0 ? "good" : difference < 0 ? "bad" : "muted"}> {signed(difference)}</span>
              </dd>
            </div>
          );
        })}
      </dl>
      {better.length + worse.length === 0 && <p class="muted">{words.same}</p>}
      <Changes name={words.better} changes={better} kind="good" />
      <Changes name={words.worse} changes={worse} kind="bad" />
    </>
  );
}

function Changes({ name, changes, kind }: { name: string; changes: readonly Changed[]; kind: "good" | "bad" }) {
  if (changes.length === 0) return null;
  return (
    <>
      <h3 class={kind}>
        {name} ({changes.length})
      </h3>
      <ul class="plain changes">
        {changes.map(({ question, before, after }) => (
          <li key={question}>
            <span>{question}</span>
            <span class="muted">
              {placeText(before)} → {placeText(after)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function placeText(miss: RunMiss | undefined): string {
  const words = t.value.measure;
  if (miss === undefined) return words.ok;
  const rank = miss.expected.find((each) => each.rank !== undefined)?.rank;
  return rank === undefined
    ? (t.value.explanation.outcomes[miss.expected[0]?.outcome ?? ""] ?? miss.kind)
    : words.atRank(rank);
}

function signed(difference: number): string {
  const rounded = Math.abs(difference) < 0.005 ? score3(Math.abs(difference)) : score(Math.abs(difference));
  if (difference === 0) return "±0";
  return difference > 0 ? `+${rounded}` : `−${rounded}`;
}
