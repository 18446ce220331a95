import type { Job } from "../../api/types.ts";
import { Progress } from "../../parts/field.tsx";
import { messageOf } from "../../parts/notice.tsx";
import { t } from "../../state/preferences.ts";

/** One file, or the pages of one import. */
export interface Import {
  readonly name: string;
  readonly state: "waiting" | "sending" | "working" | "done" | "failed";
  /** The sent share of a file, 0 to 1. */
  readonly sent?: number;
  readonly job?: Job;
  readonly error?: Error;
}

/** What became of each file. */
export function ImportReport({ imports }: { imports: readonly Import[] }) {
  const words = t.value.uploads;
  if (imports.length === 0) return null;
  return (
    <section aria-label={words.report} aria-live="polite" class="report">
      {imports.map((each, i) => (
        // Two files may have one name, and the order never changes.
        <div key={i} class="report-row">
          <strong class="report-name">{each.name}</strong>
          <Outcome each={each} />
        </div>
      ))}
    </section>
  );
}

function Outcome({ each }: { each: Import }) {
  const words = t.value.uploads;
  const { name, state, sent, job, error } = each;
  const label = words.progress(name);
  if (state === "waiting") return <span class="muted">…</span>;
  if (state === "sending") {
    return (
      <span>
        {words.sending} <Progress label={label} done={sent ?? 0} total={1} />
      </span>
    );
  }
  if (state === "working") {
    return (
      <span>
        {words.working} <Progress label={label} done={job?.done ?? 0} total={job?.total} />
      </span>
    );
  }
  return (
    <>
      {state === "failed" && (
        <p class="bad lines-kept">
          {words.failed}
          {error !== undefined && `: ${messageOf(error)}`}
          {error === undefined && job?.message !== undefined && `: ${job.message}`}
        </p>
      )}
      {job !== undefined && <FileReports job={job} />}
    </>
  );
}

/** The reports of a job's files. */
export function FileReports({ job }: { job: Job }) {
  const words = t.value.uploads;
  const reports = Array.isArray(job.report) ? job.report : [];
  return (
    <>
      {reports.map(({ file, imported, unchanged, removed, problems }) => (
        <div key={file}>
          <p>
            {reports.length > 1 && <span>{file} </span>}
            <span class="good">{words.done(imported, unchanged)}</span>
            {removed > 0 && <span>, {words.removed(removed)}</span>}
          </p>
          {problems.map(({ line, message }: { line?: number; message: string }) => (
            <p class="bad" key={`${line}${message}`}>
              {line !== undefined && `${words.line(line)}: `}
              {message}
            </p>
          ))}
        </div>
      ))}
    </>
  );
}
