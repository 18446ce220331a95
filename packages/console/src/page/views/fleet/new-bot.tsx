import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import type { Restored } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { loadBots } from "../../state/bots.ts";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { changed, SettingsFields, typed } from "./settings-fields.tsx";

const DEFAULTS = typed({});

/** Makes a bot of the given settings, and the server's defaults. */
export function NewBot({ onClose, onDone }: { onClose: () => void; onDone: (made: Restored) => void }) {
  const words = t.value.bots;
  const [settings, setSettings] = useState(DEFAULTS);
  const { problem, isBusy, attempt } = useAttempt();
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isDone = await attempt(async () => {
      onDone((await call<Restored>("POST", "/bots", { body: changed(DEFAULTS, settings) })).data);
      await loadBots();
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={words.newTitle} onClose={onClose} wide>
      <form class="form" onSubmit={create}>
        <p class="hint">{words.newHint}</p>
        <SettingsFields settings={settings} onInput={setSettings} hasDefaults />
        <ErrorNotice error={problem} />
        <div class="actions actions-end">
          <ChangeButton type="submit" class="button button-strong" disabled={isBusy}>
            {words.create}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
