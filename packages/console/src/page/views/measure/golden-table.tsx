import { useState } from "preact/hooks";
import { call, ofBot } from "../../api/client.ts";
import { expectedFromText, expectedOf, expectedText } from "../../api/runs.ts";
import type { Golden, Run } from "../../api/types.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { t } from "../../state/preferences.ts";
import { session } from "../../state/session.ts";

interface Props {
  readonly bot: string;
  readonly questions: readonly Golden[];
  /** The last run, for what it says of each question. */
  readonly run: Run | undefined;
  readonly onChange: () => void;
}

/** The golden questions of a bot: add, change, delete. */
export function GoldenTable({ bot, questions, run, onChange }: Props) {
  const words = t.value.measure;
  const [edited, setEdited] = useState<number>();
  const [error, setError] = useState<Error>();
  const mayChange = session.value?.scope === "write";
  const missed = new Set(run?.misses.map(({ question }) => question));
  const put = async (changed: readonly Golden[]): Promise<void> => {
    await call("PUT", ofBot(bot, "golden"), { body: { questions: changed } });
    onChange();
  };
  const remove = (index: number): void => {
    setError(undefined);
    put(questions.filter((_, i) => i !== index)).catch((error: Error) => setError(error));
  };
  return (
    <section class="block">
      <div class="block-head">
        <h2>{words.table}</h2>
        <button type="button" class="button" disabled={!mayChange} onClick={() => setEdited(questions.length)}>
          {words.add}
        </button>
      </div>
      <ErrorNotice error={error} />
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
                  <code class="id">{expectedText(expectedOf(golden))}</code>
                </td>
                <td>
                  {run !== undefined && (
                    <span class={missed.has(golden.question) ? "bad" : "good"}>
                      {missed.has(golden.question) ? words.missed : words.ok}
                    </span>
                  )}
                </td>
                <td class="col-actions">
                  <button
                    type="button"
                    class="button-quiet"
                    aria-describedby={`golden-${index}`}
                    onClick={() => setEdited(index)}
                  >
                    {words.edit}
                  </button>
                  <button
                    type="button"
                    class="button-quiet"
                    aria-describedby={`golden-${index}`}
                    disabled={!mayChange}
                    onClick={() => remove(index)}
                  >
                    {words.delete}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {edited !== undefined && (
        <GoldenDialog
          golden={questions[edited]}
          mayChange={mayChange}
          onClose={() => setEdited(undefined)}
          onKeep={(golden) => put(questions.toSpliced(edited, 1, golden))}
        />
      )}
    </section>
  );
}

function GoldenDialog(props: {
  golden: Golden | undefined;
  mayChange: boolean;
  onClose: () => void;
  onKeep: (golden: Golden) => Promise<void>;
}) {
  const words = t.value.measure;
  const before = props.golden === undefined ? [] : expectedOf(props.golden);
  const [question, setQuestion] = useState(props.golden?.question ?? "");
  const [expected, setExpected] = useState(expectedText(before));
  const [error, setError] = useState<Error>();
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    try {
      await props.onKeep({ question: question.trim(), expected: expectedFromText(expected, before) });
      props.onClose();
    } catch (error) {
      setError(error as Error);
    }
  };
  return (
    <Dialog title={props.golden === undefined ? words.add : words.questionField} onClose={props.onClose}>
      <form class="form" onSubmit={keep}>
        <Field label={words.questionField} value={question} onInput={setQuestion} />
        <Field label={words.expectedField} hint={words.expectedHint} value={expected} onInput={setExpected} />
        <ErrorNotice error={error} />
        <div class="actions actions-end">
          <button type="submit" class="button button-strong" disabled={!props.mayChange}>
            {words.keep}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
