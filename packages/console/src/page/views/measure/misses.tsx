import type { Run, RunMiss } from "../../api/types.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, navigate } from "../../state/route.ts";

/** The missed questions of a run, each with its reason. */
export function Misses({ run }: { run: Run | undefined }) {
  const words = t.value.measure;
  return (
    <section class="card misses" aria-label={words.misses}>
      <h2>
        {words.misses}
        {run !== undefined && <span class="muted"> {words.running(run.missed, run.questions)}</span>}
      </h2>
      {run === undefined && <p class="muted">{words.noRuns}</p>}
      {run?.missed === 0 && <p class="muted">{words.noMisses}</p>}
      <div class="miss-list">
        {run?.misses.map((miss) => (
          <Missed key={miss.index} miss={miss} />
        ))}
      </div>
    </section>
  );
}

function Missed({ miss }: { miss: RunMiss }) {
  const words = t.value.measure;
  const [expected] = miss.expected;
  const [first] = miss.found;
  const reason = expected && (t.value.explanation.outcomes[expected.outcome] ?? expected.outcome);
  return (
    <div class="miss">
      <div>
        <p class="miss-question">{miss.question}</p>
        <p class="muted">
          {words.kinds[miss.kind] ?? miss.kind} {first !== undefined && words.first(first.title ?? first.id)}{" "}
          {expected?.rank !== undefined
            ? `(${words.atRank(expected.rank)})`
            : miss.kind !== "unknownDocument" && reason}
        </p>
      </div>
      <button
        type="button"
        class="button-quiet"
        onClick={() => navigate(addressOf("ask", { q: miss.question, ...(expected && { why: expected.id }) }))}
      >
        {words.ask}
      </button>
    </div>
  );
}
