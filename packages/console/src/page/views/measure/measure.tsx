import { call, get, ofBot } from "../../api/client.ts";
import { runIdOf } from "../../api/runs.ts";
import type { GoldenSet, Job, Run, RunSummary } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Heading, Progress } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { bot } from "../../state/bots.ts";
import { score3 } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useJob } from "../../state/use-job.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { Curve } from "./curve.tsx";
import { GoldenTable } from "./golden-table.tsx";
import { Misses } from "./misses.tsx";
import { RunComparison } from "./run-comparison.tsx";
import { RunsTable } from "./runs-table.tsx";

/** Whether questions find what they should, now and over time. */
export function Measure() {
  const id = bot.value?.id ?? "";
  const words = t.value.measure;
  const golden = useLoaded((signal) => get<GoldenSet>(ofBot(id, "golden"), signal), [id]);
  const kept = useLoaded((signal) => get<RunSummary[]>(ofBot(id, "runs"), signal), [id]);
  const { problem, attempt } = useAttempt();
  const runs = [...(kept.data ?? [])].sort((a, b) => (a.at < b.at ? -1 : 1));
  // Runs that only tried a vocabulary say nothing of the bot.
  const measured = runs.filter(({ vocabulary }) => vocabulary !== true);
  const lastId = measured.at(-1)?.id;
  const last = useLoaded(
    (signal) => (lastId === undefined ? undefined : get<Run>(ofBot(id, "runs", lastId), signal)),
    [id, lastId],
  ).data;
  const { job, error, isLost, watch } = useJob(id, kept.reload);
  const begin = () => attempt(async () => watch((await call<Job>("POST", ofBot(id, "runs"), { body: {} })).data));
  const isRunning = job?.state === "running";
  const questions = golden.data?.questions ?? [];
  const finished = runs.find((run) => job !== undefined && run.id === runIdOf(job));
  return (
    <>
      <Heading
        aside={
          <>
            {isRunning && (
              <>
                <Progress label={words.progress} done={job.done} total={job.total ?? questions.length} />
                <span class="muted">{words.running(job.done, job.total ?? questions.length)}</span>
              </>
            )}
            <span role="status">{finished !== undefined && words.finished(score3(finished.measures.ndcgAt10))}</span>
            <ChangeButton class="button button-strong" disabled={isRunning || questions.length === 0} onClick={begin}>
              {words.run}
            </ChangeButton>
          </>
        }
      >
        {t.value.views.measure}
      </Heading>
      <p class="muted intro">{words.intro}</p>
      <ErrorNotice error={problem ?? error ?? golden.error ?? kept.error} />
      {job?.state === "failed" && (
        <p class="notice notice-error" role="alert">
          {job.message}
        </p>
      )}
      {isLost && <p class="notice notice-calm">{t.value.uploads.lost}</p>}
      <div class="measure-columns">
        <Curve runs={measured} />
        <Misses run={last} />
      </div>
      {golden.data !== undefined && <GoldenTable bot={id} questions={questions} run={last} onChange={golden.reload} />}
      {runs.length > 1 && last !== undefined && <RunComparison bot={id} runs={runs} known={last} />}
      {runs.length > 0 && <RunsTable runs={runs} />}
    </>
  );
}
