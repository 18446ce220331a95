import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, download, ofBot } from "../../api/client.ts";
import type { FleetBot } from "../../api/types.ts";
import { Progress } from "../../parts/field.tsx";
import { Link } from "../../parts/link.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { size } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { addressOf } from "../../state/route.ts";
import { mayCreate } from "../../state/session.ts";
import { useAttempt } from "../../state/use-attempt.ts";

/** A bot as one file. The browser gets the file once its last byte is here: a backup that broke off is none. */
export function Backups({ bot }: { bot: FleetBot }) {
  const words = t.value.backups;
  const [hasQuestions, setQuestions] = useState(false);
  const [taken, setTaken] = useState(0);
  const [done, setDone] = useState<number>();
  const { problem, isBusy, attempt } = useAttempt();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const take = (): void => {
    setTaken(0);
    setDone(undefined);
    void attempt(async () => {
      const path = `${ofBot(bot.id, "backup")}${hasQuestions ? "?questions=true" : ""}`;
      const file = await download(path, stop.current.signal, setTaken).catch((error: Error) => {
        throw error instanceof ApiError ? error : new Error(words.broken);
      });
      keep(file, `${bot.name.replace(/[^\w.-]/g, "_")}.loredex`);
      setDone(file.size);
    });
  };
  return (
    <div class="form">
      <p class="muted">{words.intro}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={hasQuestions}
          disabled={isBusy}
          onChange={(event) => setQuestions(event.currentTarget.checked)}
        />
        {words.questions}
      </label>
      <ErrorNotice error={problem} />
      <div class="actions">
        <button type="button" class="button button-strong" disabled={isBusy} onClick={take}>
          {words.download}
        </button>
        {isBusy && (
          <>
            <Progress label={words.progress} done={0} total={undefined} />
            <span class="muted">{words.taken(size(taken))}</span>
          </>
        )}
        <span role="status">{done !== undefined && words.done(size(done))}</span>
      </div>
      {mayCreate.value && (
        <p>
          <Link to={addressOf("fleet")}>{words.elsewhere}</Link>
        </p>
      )}
    </div>
  );
}

/** Gives a file to the browser, as a download. */
function keep(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
