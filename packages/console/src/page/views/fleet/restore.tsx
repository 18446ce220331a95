import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { sendFile } from "../../api/send-file.ts";
import type { Restored } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FileField, Progress } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { loadBots } from "../../state/bots.ts";
import { size } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";

/** Brings a bot back from a backup. Closing the dialog ends an upload. */
export function Restore({ onClose, onDone }: { onClose: () => void; onDone: (restored: Restored) => void }) {
  const words = t.value.backups;
  const [file, setFile] = useState<File>();
  const [as, setAs] = useState("");
  const [sent, setSent] = useState(0);
  const { problem, isBusy, attempt } = useAttempt();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const restore = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (file === undefined) return;
    setSent(0);
    const name = as.trim();
    const path = `/restore${name === "" ? "" : `?${new URLSearchParams({ as: name })}`}`;
    const isDone = await attempt(async () => {
      const sending = sendFile<Restored>(path, file, stop.current.signal, setSent);
      onDone(
        await sending.catch((error: Error) => {
          throw error instanceof ApiError ? error : new Error(words.lost);
        }),
      );
      await loadBots();
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={words.restore} onClose={onClose}>
      <form class="form" onSubmit={restore}>
        <FileField label={words.file} onChange={([first]) => setFile(first)} />
        <Field label={words.as} hint={words.asHint} value={as} onInput={setAs} />
        <ErrorNotice error={problem} />
        <div class="actions actions-end">
          {isBusy && file !== undefined && (
            <>
              <Progress label={words.sending} done={sent} total={sent < 1 ? 1 : undefined} />
              <span class="muted">
                {sent < 1 ? words.sent(size(sent * file.size), size(file.size)) : words.reading}
              </span>
            </>
          )}
          <ChangeButton type="submit" class="button button-strong" disabled={isBusy || file === undefined}>
            {words.start}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
