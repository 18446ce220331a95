import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { DocumentRow, KnownDocument } from "../../api/types.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DocumentText, textOf } from "../../parts/document-text.tsx";
import { Choice } from "../../parts/field.tsx";
import { webAddress } from "../../parts/link.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { documentChanges } from "../../state/deletions.ts";
import { t } from "../../state/preferences.ts";
import { mayChange } from "../../state/session.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";

/** An imported document: its text belongs to its source, its status to the operator. */
export function ImportedDocument({ bot, row, onClose }: { bot: string; row: DocumentRow; onClose: () => void }) {
  const words = t.value.knowledge;
  const [status, setStatus] = useState<string>(row.status);
  const { problem, attempt } = useAttempt();
  const { data, error } = useLoaded(
    (signal) => get<KnownDocument>(ofBot(bot, "documents", row.id), signal),
    [bot, row.id],
  );
  const change = async (next: string): Promise<void> => {
    const before = status;
    setStatus(next);
    const isDone = await attempt(() =>
      call("PUT", ofBot(bot, "documents", row.id, "status"), { body: { status: next } }),
    );
    if (isDone) documentChanges.value += 1;
    else setStatus(before);
  };
  const page = webAddress(row.url);
  return (
    <Dialog title={row.title ?? row.id} onClose={onClose} wide>
      <ErrorNotice error={problem ?? error} />
      <p class="muted document-facts">
        <span>{words.types[row.type] ?? row.type}</span>
        <code class="id">{row.id}</code>
        {row.source !== undefined && <span>{row.source}</span>}
        {page !== undefined && (
          <a href={page} target="_blank" rel="noreferrer">
            {t.value.ask.source}
          </a>
        )}
      </p>
      {mayChange.value && (
        <Choice
          label={words.ofOne}
          value={status}
          onChange={change}
          options={Object.entries(words.statuses).filter(([each]) => each !== "uploading")}
        />
      )}
      {data?.question !== undefined && <h3>{data.question}</h3>}
      {data !== undefined && <DocumentText text={textOf(data)} marks={[]} />}
    </Dialog>
  );
}
