import type { Gap } from "../../api/types.ts";
import { ScoreBar } from "../../parts/bar.tsx";
import { ChangeButton } from "../../parts/change-button.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { number } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, navigate } from "../../state/route.ts";
import { gapToClose } from "../../state/saves.ts";

/** Groups of questions that found little, worst first. */
export function GapsTable(props: { gaps: readonly Gap[]; onGolden: (gap: Gap) => void }) {
  const words = t.value.gaps;
  return (
    <TableBox>
      <table class="table gaps-table stacked">
        <caption class="hidden">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.columns.question}</th>
            <th scope="col" class="number">
              {words.columns.count}
            </th>
            <th scope="col">{words.columns.bestScore}</th>
            <th scope="col" class="wide-only">
              {words.columns.nearest}
            </th>
            <th scope="col" class="col-actions">
              <span class="hidden">{t.value.knowledge.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.gaps.map((gap) => (
            <GapRow key={gap.question} gap={gap} onGolden={props.onGolden} />
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function GapRow({ gap, onGolden }: { gap: Gap; onGolden: (gap: Gap) => void }) {
  const words = t.value.gaps;
  const { question, count, countBefore, bestScore, nearest, examples, unhelpful } = gap;
  const write = (): void => {
    gapToClose.value = { question, count, examples };
    navigate(addressOf("knowledge/new", { title: question }));
  };
  return (
    <tr>
      <td>
        <span class="gap-question">{question}</span>
        {countBefore !== undefined && countBefore > 0 && (
          <span class="cell-note muted">{words.before(countBefore)}</span>
        )}
        {examples.length > 0 && (
          <span class="cell-note muted">
            {words.examples}: {examples.slice(0, 3).join(" · ")}
          </span>
        )}
      </td>
      <td class="number">{number(count)}</td>
      <td>
        <ScoreBar value={bestScore} />
        {unhelpful > 0 && <span class="cell-note muted">{words.saidUnhelpful(unhelpful)}</span>}
      </td>
      <td class="wide-only">{nearest === undefined ? words.nothing : (nearest.title ?? nearest.id)}</td>
      <td class="col-actions">
        <ChangeButton onClick={write}>{words.write}</ChangeButton>
        <ChangeButton class="button-quiet" onClick={() => onGolden(gap)}>
          {words.golden}
        </ChangeButton>
      </td>
    </tr>
  );
}
