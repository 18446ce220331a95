import { call, get, ofBot } from "../../api/client.ts";
import type { Gap, GoldenSet } from "../../api/types.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DocumentSearch } from "../../parts/document-search.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";

/** Makes a golden question of a gap: a person says which document should answer it. */
export function GoldenFromGap(props: { bot: string; gap: Gap; onClose: () => void; onDone: (title: string) => void }) {
  const { bot, gap, onClose, onDone } = props;
  const words = t.value.gaps;
  const { problem, attempt } = useAttempt();
  const choose = ({ id, title }: { readonly id: string; readonly title: string }) =>
    attempt(async () => {
      const path = ofBot(bot, "golden");
      const { questions } = await get<GoldenSet>(path);
      const others = questions.filter(({ question }) => question !== gap.question);
      await call("PUT", path, { body: { questions: [...others, { question: gap.question, expected: [{ id }] }] } });
      onDone(title);
      onClose();
    });
  const { nearest } = gap;
  return (
    <Dialog title={words.choose} onClose={onClose}>
      <p class="gap-question">{gap.question}</p>
      <ErrorNotice error={problem} />
      {nearest === undefined && <p class="muted">{words.noNearest}</p>}
      {nearest !== undefined && (
        <button
          type="button"
          class="found-document"
          onClick={() => choose({ id: nearest.id, title: nearest.title ?? nearest.id })}
        >
          <span>{nearest.title ?? nearest.id}</span>
          <span class="muted">{words.columns.nearest}</span>
        </button>
      )}
      <DocumentSearch bot={bot} label={t.value.ask.expected} hint={t.value.ask.expectedHint} onChoose={choose} />
    </Dialog>
  );
}
