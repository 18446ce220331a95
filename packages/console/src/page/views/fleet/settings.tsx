import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { BotDetails, FleetBot } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { chooseBot, loadBots } from "../../state/bots.ts";
import { number } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, navigate, setParameters } from "../../state/route.ts";
import { mayChange } from "../../state/session.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { changed, SettingsFields, type Typed, typed } from "./settings-fields.tsx";

/** The settings of a bot, and its end. */
export function Settings({ bot }: { bot: FleetBot }) {
  const words = t.value.bots;
  const { data, error, reload } = useLoaded((signal) => get<BotDetails>(ofBot(bot.id), signal), [bot.id]);
  const [edited, setEdited] = useState<Typed>();
  const [isSaved, setSaved] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { problem, isBusy, attempt } = useAttempt();
  if (data === undefined) return <ErrorNotice error={error} />;
  const stored = typed(data.bot);
  const settings = edited ?? stored;
  const changes = changed(stored, settings);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isDone = await attempt(async () => {
      await call("PUT", ofBot(bot.id), { body: changes });
      // The address has the bot's name, which may be another one now.
      setParameters({ bot: bot.id });
      await loadBots();
      chooseBot(bot.id);
    });
    if (!isDone) return;
    setSaved(true);
    reload();
  };
  return (
    <form class="form" onSubmit={save}>
      {bot.figures !== undefined && (
        <p class="muted">{words.used(number(bot.figures.characterUsed), number(bot.quotaCharacters))}</p>
      )}
      {data.advice?.map(({ story }) => (
        <p key={story} class="notice notice-calm">
          {story}
        </p>
      ))}
      <SettingsFields
        settings={settings}
        disabled={!mayChange.value}
        onInput={(next) => {
          setEdited(next);
          setSaved(false);
        }}
      />
      <ErrorNotice error={problem} />
      <div class="actions">
        <ChangeButton type="submit" class="button button-strong" disabled={isBusy || Object.keys(changes).length === 0}>
          {words.save}
        </ChangeButton>
        <span role="status">{isSaved && words.saved}</span>
        <span class="spread" />
        <ChangeButton class="button button-danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </ChangeButton>
      </div>
      {isRemoving && <RemoveBot bot={bot} onClose={() => setRemoving(false)} />}
    </form>
  );
}

/** Deletes a bot after its name was typed. */
function RemoveBot({ bot, onClose }: { bot: FleetBot; onClose: () => void }) {
  const words = t.value.bots;
  const [text, setText] = useState("");
  const { problem, isBusy, attempt } = useAttempt();
  const remove = () =>
    attempt(async () => {
      await call("DELETE", ofBot(bot.id));
      navigate(addressOf("fleet"));
      setParameters({ bot: undefined });
      await loadBots();
    });
  return (
    <Dialog title={words.removeTitle(bot.name)} onClose={onClose}>
      <p>{words.removeHint}</p>
      <Field label={words.confirmation} hint={words.confirmationHint(bot.name)} value={text} onInput={setText} />
      <ErrorNotice error={problem} />
      <div class="actions actions-end">
        <ChangeButton
          class="button button-danger"
          disabled={text.trim() !== bot.name.trim() || isBusy}
          onClick={remove}
        >
          {words.removeNow}
        </ChangeButton>
      </div>
    </Dialog>
  );
}
