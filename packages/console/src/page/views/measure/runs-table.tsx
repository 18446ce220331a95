import type { RunSummary } from "../../api/types.ts";
import { TableBox } from "../../parts/table-box.tsx";
import { dateTimeAmong, number, score3 } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";

/** All kept runs with their measures, the last one first: the curve as text. */
export function RunsTable({ runs }: { runs: readonly RunSummary[] }) {
  const words = t.value.measure;
  return (
    <details class="block">
      <summary>{words.allRuns}</summary>
      <TableBox>
        <table class="table table-small">
          <caption class="hidden">{words.allRuns}</caption>
          <thead>
            <tr>
              <th scope="col">{words.when}</th>
              <th scope="col" class="number">
                {words.questions}
              </th>
              <th scope="col" class="number">
                {words.ndcg}
              </th>
              <th scope="col" class="number">
                {words.mrr}
              </th>
              <th scope="col" class="number">
                {words.recall}
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.toReversed().map(({ id, at, questions, measures, vocabulary }) => (
              <tr key={id}>
                <th scope="row">
                  {dateTimeAmong(at, runs)}
                  {vocabulary === true && <span class="cell-note muted">{words.withVocabulary}</span>}
                </th>
                <td class="number">{number(questions)}</td>
                <td class="number">{score3(measures.ndcgAt10)}</td>
                <td class="number">{score3(measures.mrrAt10)}</td>
                <td class="number">{score3(measures.recallAt10)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </details>
  );
}
