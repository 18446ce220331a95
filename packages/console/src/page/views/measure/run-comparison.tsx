import { useState } from "preact/hooks";
import { get, ofBot } from "../../api/client.ts";
import { comparedRuns } from "../../api/runs.ts";
import type { Run, RunSummary } from "../../api/types.ts";
import { Choice } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { dateTimeAmong, score3 } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { RunChanges } from "./run-changes.tsx";

/** What got better and worse between two runs, which a person chooses. `known` is a run that is loaded already. */
export function RunComparison({ bot, runs, known }: { bot: string; runs: readonly RunSummary[]; known: Run }) {
  const words = t.value.measure;
  const [chosen, setChosen] = useState<{ earlier?: string; later?: string }>({});
  const earlier = chosen.earlier ?? runs.at(-2)?.id ?? "";
  const later = chosen.later ?? runs.at(-1)?.id ?? "";
  const { data, error } = useLoaded(
    (signal) =>
      Promise.all([earlier, later].map((id) => (id === known.id ? known : get<Run>(ofBot(bot, "runs", id), signal)))),
    [bot, earlier, later],
  );
  const options = runs
    .toReversed()
    .map((run) => [run.id, `${dateTimeAmong(run.at, runs)} · ${score3(run.measures.ndcgAt10)}${noteOf(run)}`] as const);
  const [before, after] = data ?? [];
  return (
    <section class="card block" aria-label={words.compare}>
      <div class="block-head compare-head">
        <h2>{words.compare}</h2>
        <Choice
          label={words.earlier}
          value={earlier}
          onChange={(id) => setChosen({ ...chosen, earlier: id })}
          options={options}
        />
        <Choice
          label={words.later}
          value={later}
          onChange={(id) => setChosen({ ...chosen, later: id })}
          options={options}
        />
      </div>
      <ErrorNotice error={error} />
      {before !== undefined && after !== undefined && (
        <RunChanges
          before={before}
          after={after}
          names={[words.earlier, words.later]}
          {...comparedRuns(before, after)}
        />
      )}
    </section>
  );
}

function noteOf({ vocabulary }: RunSummary): string {
  return vocabulary === true ? ` · ${t.value.measure.withVocabulary}` : "";
}
