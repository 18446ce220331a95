import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import { expectedFromText, expectedText, outcomesOf } from "../../api/runs.ts";
import type { DocumentRow, GoldenQuestion, Run } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DocumentSearch } from "../../parts/document-search.tsx";
import { Field } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { t } from "../../state/preferences.ts";
import { mayChange } from "../../state/session.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";

interface Props {
  readonly bot: string;
  readonly questions: readonly GoldenQuestion[];
  /** The last run, for what it says of each question. */
  readonly run: Run | undefined;
  readonly onChange: () => void;
}

/** The golden questions of a bot: add, change, delete. */
export function GoldenTable({ bot, questions, run, onChange }: Props) {
  const words = t.value.measure;
  const [edited, setEdited] = useState<number>();
  const { problem, attempt } = useAttempt();
  const outcomes = run && outcomesOf(questions, run, changedAfter(bot, run.id));
  const ids = [...new Set(questions.flatMap(({ expected }) => expected.map(({ id }) => id)))].slice(0, NAMED_MAX);
  const titles = useLoaded((signal) => titlesOf(bot, ids, signal), [bot, ids.join("\n")]).data;
  const put = async (changed: readonly GoldenQuestion[]): Promise<void> => {
    await call("PUT", ofBot(bot, "golden"), { body: { questions: changed } });
    onChange();
  };
  const remove = (index: number) => attempt(() => put(questions.filter((_, i) => i !== index)));
  return (
    <section class="block">
      <div class="block-head">
        <h2>{words.table}</h2>
        <ChangeButton onClick={() => setEdited(questions.length)}>{words.add}</ChangeButton>
      </div>
      <ErrorNotice error={problem} />
      {questions.length === 0 && <Empty>{words.noGolden}</Empty>}
      <TableBox>
        <table class="table">
          <caption class="hidden">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.columns.question}</th>
              <th scope="col" class="wide-only">
                {words.columns.expected}
              </th>
              <th scope="col">{words.columns.result}</th>
              <th scope="col" class="col-actions">
                <span class="hidden">{t.value.knowledge.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {questions.map((golden, index) => (
              // A question may stand twice.
              <tr key={index}>
                <td id={`golden-${index}`}>{golden.question}</td>
                <td class="wide-only">
                  {golden.expected.map((each) => (
                    <Expected key={each.id} text={expectedText([each])} title={titles?.get(each.id)} />
                  ))}
                </td>
                <td>
                  <Outcome outcome={outcomes?.[index]} />
                </td>
                <td class="col-actions">
                  <button
                    type="button"
                    class="button-quiet"
                    aria-describedby={`golden-${index}`}
                    onClick={() => setEdited(index)}
                  >
                    {mayChange.value ? words.edit : t.value.knowledge.show}
                  </button>
                  <ChangeButton class="button-quiet" aria-describedby={`golden-${index}`} onClick={() => remove(index)}>
                    {words.delete}
                  </ChangeButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {edited !== undefined && (
        <GoldenDialog
          bot={bot}
          golden={questions[edited]}
          onClose={() => setEdited(undefined)}
          onKeep={async (golden) => {
            await put(questions.toSpliced(edited, 1, golden));
            if (run !== undefined) changedAfter(bot, run.id).add(golden.question);
          }}
        />
      )}
    </section>
  );
}

/** Documents that are shown by their titles; more of them have their ids. */
const NAMED_MAX = 50;

/** Titles by ids. Null: the bot has no such document. */
async function titlesOf(bot: string, ids: readonly string[], signal: AbortSignal): Promise<Map<string, string | null>> {
  const titles = new Map<string, string | null>();
  const path = ofBot(bot, "documents");
  await Promise.all(
    ids.map(async (id) => {
      const rows = await get<DocumentRow[]>(`${path}?${new URLSearchParams({ search: id, limit: "8" })}`, signal);
      const row = rows.find((each) => each.id === id);
      if (row !== undefined) titles.set(id, row.title ?? id);
      else if (rows.length === 0) titles.set(id, null);
    }),
  );
  return titles;
}

/** An expected document by its title, or by its id. */
function Expected({ text, title }: { text: string; title: string | null | undefined }) {
  return typeof title !== "string" ? (
    <>
      <code class="id">{text} </code>
      {title === null && <span class="cell-note bad">{t.value.measure.kinds.unknownDocument}</span>}
    </>
  ) : (
    <span class="cell-note" title={text}>
      {title}
    </span>
  );
}

/** Questions that were added or changed in this page after a run. */
const changes = new Map<string, Set<string>>();

function changedAfter(bot: string, run: string): Set<string> {
  const key = `${bot}/${run}`;
  const known = changes.get(key) ?? new Set();
  changes.set(key, known);
  return known;
}

const CLASSES = { ok: "good", missed: "bad", unknown: "muted", notRun: "muted" };

function Outcome({ outcome }: { outcome: keyof typeof CLASSES | undefined }) {
  return outcome === undefined ? null : <span class={CLASSES[outcome]}>{t.value.measure[outcome]}</span>;
}

function GoldenDialog(props: {
  bot: string;
  golden: GoldenQuestion | undefined;
  onClose: () => void;
  onKeep: (golden: GoldenQuestion) => Promise<void>;
}) {
  const words = t.value.measure;
  const before = props.golden?.expected ?? [];
  const [question, setQuestion] = useState(props.golden?.question ?? "");
  const [expected, setExpected] = useState(expectedText(before));
  const { problem, attempt } = useAttempt();
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    const golden = { question: question.trim(), expected: expectedFromText(expected, before) };
    if (await attempt(() => props.onKeep(golden))) props.onClose();
  };
  return (
    <Dialog title={props.golden === undefined ? words.add : words.questionField} onClose={props.onClose}>
      <form class="form" onSubmit={keep}>
        {mayChange.value ? (
          <>
            <Field label={words.questionField} value={question} onInput={setQuestion} />
            <Field label={words.expectedField} hint={words.expectedHint} value={expected} onInput={setExpected} />
            <DocumentSearch
              bot={props.bot}
              label={words.find}
              hint={t.value.ask.expectedHint}
              onChoose={({ id }) => setExpected((before) => (before.trim() === "" ? id : `${before}, ${id}`))}
            />
          </>
        ) : (
          <>
            <p class="gap-question">{question}</p>
            <p class="id">{expected}</p>
          </>
        )}
        <ErrorNotice error={problem} />
        <div class="actions actions-end">
          <ChangeButton type="submit" class="button button-strong">
            {words.keep}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
