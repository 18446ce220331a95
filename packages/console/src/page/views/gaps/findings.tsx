import { type ComponentChildren, Fragment } from "preact";
import { get, ofBot } from "../../api/client.ts";
import type { Findings, InsightsWeek } from "../../api/types.ts";
import { ErrorNotice } from "../../parts/notice.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { number, score } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { editorOf, navigate } from "../../state/route.ts";
import { mayChange } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";

const SHOWN_MAX = 50;

/** What the documents and the kept questions tell of each other. */
export function FindingsOf({ bot }: { bot: string }) {
  const words = t.value.gaps;
  const { data, error } = useLoaded((signal) => get<Findings>(ofBot(bot, "findings"), signal), [bot]);
  if (data === undefined)
    return (
      <div class="block">
        <ErrorNotice error={error} />
      </div>
    );
  return (
    <section aria-label={words.findings} class="block">
      <h2>{words.findings}</h2>
      <div class="findings">
        <Finding name={words.contradictions} hint={words.contradictionsHint} count={data.contradictions.length}>
          {data.contradictions.slice(0, SHOWN_MAX).map(({ ids, titles, lines, reason }) => (
            <div key={ids.join(" ")} class="finding-row">
              <Pair ids={ids} titles={titles} lines={lines} />
              <p class="muted">{words.reasons[reason] ?? reason}</p>
            </div>
          ))}
        </Finding>
        <Finding name={words.duplicates} hint={words.duplicatesHint} count={data.nearDuplicates.length}>
          {data.nearDuplicates.slice(0, SHOWN_MAX).map(({ ids, titles, similarity }) => (
            <div key={ids.join(" ")} class="finding-row">
              <Pair ids={ids} titles={titles} />
              <p class="muted">{words.similarity(score(similarity))}</p>
            </div>
          ))}
        </Finding>
        <Finding name={words.neverFound} hint={words.neverFoundHint} count={data.neverFound.length}>
          {data.neverFound.slice(0, SHOWN_MAX).map(({ id, title }) => (
            <div key={id} class="finding-row">
              <Opened id={id} title={title} />
            </div>
          ))}
        </Finding>
      </div>
      {data.weeks.length > 0 && <Weeks weeks={data.weeks} />}
    </section>
  );
}

function Finding(props: { name: string; hint: string; count: number; children: ComponentChildren }) {
  return (
    <section class="card finding" aria-label={props.name}>
      <h3>
        {props.name} <span class="badge">{number(props.count)}</span>
      </h3>
      <p class="hint">{props.hint}</p>
      {props.count === 0 ? <p class="muted">{t.value.gaps.noFindings}</p> : props.children}
    </section>
  );
}

function Pair(props: { ids: readonly string[]; titles: readonly (string | undefined)[]; lines?: readonly string[] }) {
  return (
    <>
      {props.ids.map((id, i) => (
        <Fragment key={id}>
          <Opened id={id} title={props.titles[i]} />
          {props.lines !== undefined && <p class="finding-line">{props.lines[i]}</p>}
        </Fragment>
      ))}
    </>
  );
}

function Opened({ id, title = "" }: { id: string; title?: string | undefined }) {
  const isArticle = /^[0-9a-f]{24}$/.test(id);
  return (
    <p class="finding-document">
      <span>{title === "" ? id : title}</span>
      {isArticle && (
        <button type="button" class="button-quiet" onClick={() => navigate(editorOf(id))}>
          {mayChange.value ? t.value.ask.edit : t.value.knowledge.show}
        </button>
      )}
    </p>
  );
}

function Weeks({ weeks }: { weeks: readonly InsightsWeek[] }) {
  const words = t.value.gaps;
  const most = Math.max(...weeks.map(({ questions }) => questions), 1);
  return (
    <TableBox isBlock>
      <table class="table table-small">
        <caption>{words.weeks}</caption>
        <thead>
          <tr>
            <th scope="col">{words.week}</th>
            <th scope="col">{words.questions}</th>
            <th scope="col" class="number">
              {words.gapCount}
            </th>
            <th scope="col" class="number">
              {words.helpful}
            </th>
            <th scope="col" class="number">
              {words.unhelpful}
            </th>
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ week, questions, gaps, helpful, unhelpful }) => (
            <tr key={week}>
              <th scope="row">{week}</th>
              <td>
                <span class="week-bar">
                  <span class="bar bar-short" aria-hidden="true">
                    <span class="bar-fill bar-gaps" style={{ width: `${(gaps / most) * 100}%` }} />
                    <span class="bar-fill" style={{ width: `${(Math.max(0, questions - gaps) / most) * 100}%` }} />
                  </span>
                  {number(questions)}
                </span>
              </td>
              <td class="number">{number(gaps)}</td>
              <td class="number">{number(helpful)}</td>
              <td class="number">{number(unhelpful)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
