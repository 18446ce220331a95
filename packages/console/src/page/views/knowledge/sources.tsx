import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { Job, SourceInfo } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Progress } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { documentChanges } from "../../state/deletions.ts";
import { dateTime, number } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useJob } from "../../state/use-job.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { FileReports } from "./import-report.tsx";

/** Where imported documents come from, and the next sync of each source. */
export function Sources({ bot }: { bot: string }) {
  const words = t.value.sources;
  const { data, error, reload } = useLoaded((signal) => get<SourceInfo[]>(ofBot(bot, "sources"), signal), [bot]);
  if (data === undefined) return <ErrorNotice error={error} />;
  if (data.length === 0) return <Empty>{words.none}</Empty>;
  return (
    <TableBox>
      <table class="table sources-table stacked">
        <caption class="hidden">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col" class="number">
              {words.documents}
            </th>
            <th scope="col">{words.last}</th>
            <th scope="col">
              <span class="hidden">{t.value.knowledge.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((source) => (
            <SourceRow key={source.name} bot={bot} source={source} onChange={reload} />
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function SourceRow({ bot, source, onChange }: { bot: string; source: SourceInfo; onChange: () => void }) {
  const words = t.value.sources;
  const [isAsking, setAsking] = useState(false);
  const { problem, attempt } = useAttempt();
  const changed = (): void => {
    documentChanges.value += 1;
    onChange();
  };
  const { job, error, isLost, watch } = useJob(bot, changed);
  const path = ofBot(bot, "sources", source.name);
  const synced = source.arguments.flatMap(({ importedAt }) => importedAt ?? []).sort();
  const failed = source.arguments.reduce((sum, { report }) => sum + (report?.failed ?? 0), 0);
  return (
    <tr>
      <th scope="row">
        <span class="cell-title">{source.name}</span>
        {source.arguments
          .filter(({ path }) => path !== source.name)
          .map(({ name, path }) => (
            <span key={name} class="cell-note muted">
              {path}
            </span>
          ))}
      </th>
      <td class="number">{number(source.documents)}</td>
      <td>
        {synced[0] === undefined ? words.never : dateTime(synced[0])}
        {failed > 0 && <span class="cell-note bad">{words.problems(failed)}</span>}
        {job?.state === "running" && (
          <Progress label={t.value.uploads.progress(source.name)} done={job.done} total={job.total} />
        )}
        {job?.state === "failed" && <span class="cell-note bad">{job.message}</span>}
        {job !== undefined && job.state !== "running" && <FileReports job={job} />}
        {isLost && <span class="cell-note">{t.value.uploads.lost}</span>}
        <ErrorNotice error={problem ?? error} />
      </td>
      <td class="col-actions">
        <ChangeButton
          disabled={job?.state === "running"}
          onClick={() => attempt(async () => watch((await call<Job>("POST", `${path}/sync`)).data))}
        >
          {words.sync}
        </ChangeButton>
        <ChangeButton class="button-quiet" onClick={() => setAsking(true)}>
          {words.remove}
        </ChangeButton>
        {isAsking && (
          <Confirm
            title={words.removeTitle(source.name)}
            action={words.remove}
            onClose={() => setAsking(false)}
            onConfirm={() => void attempt(() => call("DELETE", path).then(changed))}
          />
        )}
      </td>
    </tr>
  );
}
