import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import type { NotedChange } from "../../api/types.ts";
import { Heading } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { nameOf } from "../../state/bots.ts";
import { dateTime } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { session } from "../../state/session.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { FleetTabs } from "./fleet-tabs.tsx";

interface Page {
  readonly changes: readonly NotedChange[];
  /** What the next page begins before. Absent: there is none. */
  readonly next?: number | undefined;
}

/** Who changed what and when, newest first, and what one's own key may do. */
export function Changes() {
  const words = t.value.changes;
  const { data, error } = useLoaded((signal) => load(undefined, signal), []);
  const [older, setOlder] = useState<readonly Page[]>([]);
  const { problem, isBusy, attempt } = useAttempt();
  useEffect(() => setOlder([]), [data]);
  const pages = data === undefined ? [] : [data, ...older];
  const next = pages.at(-1)?.next;
  const { name = "", scope = "", bots } = session.value ?? {};
  return (
    <>
      <Heading aside={<FleetTabs shown="changes" />}>{t.value.views.fleet}</Heading>
      <p class="muted intro">
        {words.you(name)} {words.scopes[scope]}{" "}
        {bots === undefined ? words.everything : words.some(bots.map(nameOf).join(", "))}
      </p>
      <ErrorNotice error={problem ?? error} />
      {data?.changes.length === 0 && <Empty>{words.none}</Empty>}
      <TableBox>
        <table class="table">
          <caption class="hidden">{words.table}</caption>
          <thead>
            <tr>
              {(["at", "by", "action", "bot", "target"] as const).map((column) => (
                <th key={column} scope="col" class={column === "target" ? "wide-only" : undefined}>
                  {words.columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pages
              .flatMap(({ changes }) => changes)
              .map(({ at, by, action, bot, target }, i) => (
                // Rows are added at the end alone.
                <tr key={i}>
                  <td class="muted when">{dateTime(at)}</td>
                  <td class="anywhere">{by}</td>
                  <td>{action}</td>
                  <td class="anywhere">{bot === undefined ? "–" : nameOf(bot)}</td>
                  <td class="wide-only anywhere">{target ?? "–"}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </TableBox>
      {next !== undefined && (
        <p class="block">
          <button
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => attempt(async () => setOlder([...older, await load(next)]))}
          >
            {words.older}
          </button>
        </p>
      )}
    </>
  );
}

async function load(before: number | undefined, signal?: AbortSignal): Promise<Page> {
  const path = before === undefined ? "/changes" : `/changes?before=${before}`;
  const { data, body } = await call<NotedChange[]>("GET", path, signal && { signal });
  return { changes: data, next: body.next };
}
