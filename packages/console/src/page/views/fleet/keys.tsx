import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { FleetBot, KeyInfo } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { ShownKey } from "../../parts/shown-key.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { number } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";

interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/** The keys of a bot without their secrets: a new one is shown once. */
export function Keys({ bot }: { bot: FleetBot }) {
  const words = t.value.keys;
  const path = ofBot(bot.id, "keys");
  const { data, error, reload } = useLoaded((signal) => get<KeyInfo[]>(path, signal), [path]);
  const [asked, setAsked] = useState<{ readonly action: "rotate" | "revoke"; readonly name: string }>();
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<NamedKey>();
  const { problem, attempt } = useAttempt();
  const show = (key: NamedKey): void => {
    setShown(key);
    reload();
  };
  const change = (action: "rotate" | "revoke", name: string) =>
    attempt(async () => {
      const ofKey = ofBot(bot.id, "keys", name);
      if (action === "rotate") return show({ name, ...(await call<{ key: string }>("POST", `${ofKey}/rotate`)).data });
      await call("DELETE", ofKey);
      setShown(undefined);
      reload();
    });
  return (
    <>
      {shown !== undefined && (
        <ShownKey key={shown.key} name={shown.name} text={shown.key} onHide={() => setShown(undefined)} />
      )}
      <ErrorNotice error={problem ?? error} />
      <p class="actions actions-end">
        <ChangeButton class="button button-strong" onClick={() => setAdding(true)}>
          {words.add}
        </ChangeButton>
      </p>
      {data?.length === 0 && <Empty>{words.none}</Empty>}
      <TableBox isBlock>
        <table class="table">
          <caption class="hidden">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.columns.name}</th>
              <th scope="col">{words.columns.scope}</th>
              <th scope="col" class="number wide-only">
                {words.columns.requests}
              </th>
              <th scope="col" class="wide-only">
                {words.columns.origins}
              </th>
              <th scope="col" class="col-actions">
                <span class="hidden">{t.value.knowledge.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.map(({ name, scope, requestsPerMinute, origins }, i) => (
              <tr key={name}>
                <th scope="row" id={`key-${i}`} class="anywhere">
                  {name}
                </th>
                <td>{words.scopes[scope]}</td>
                <td class="number wide-only">
                  {requestsPerMinute === undefined ? words.unlimited : number(requestsPerMinute)}
                </td>
                <td class="wide-only anywhere">{origins.length === 0 ? "–" : origins.join(", ")}</td>
                <td class="col-actions">
                  {(["rotate", "revoke"] as const).map((action) => (
                    <ChangeButton
                      key={action}
                      class="button-quiet"
                      aria-describedby={`key-${i}`}
                      onClick={() => setAsked({ action, name })}
                    >
                      {words[action]}
                    </ChangeButton>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {asked !== undefined && (
        <Confirm
          title={words[`${asked.action}Title`](asked.name)}
          hint={words[`${asked.action}Hint`]}
          action={words[asked.action]}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void change(asked.action, asked.name)}
        />
      )}
      {isAdding && <NewKey path={path} onClose={() => setAdding(false)} onDone={show} />}
    </>
  );
}

function NewKey(props: { path: string; onClose: () => void; onDone: (key: NamedKey) => void }) {
  const words = t.value.keys;
  const [name, setName] = useState("");
  const [scope, setScope] = useState("search");
  const [requests, setRequests] = useState("");
  const [origins, setOrigins] = useState("");
  const { problem, isBusy, attempt } = useAttempt();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const limit = requests.trim();
    const body = {
      name: name.trim(),
      scope,
      ...(limit !== "" && { requestsPerMinute: Number.isNaN(Number(limit)) ? limit : Number(limit) }),
      origins: origins.split("\n").flatMap((line) => line.trim() || []),
    };
    const isDone = await attempt(async () =>
      props.onDone({ name: body.name, ...(await call<{ key: string }>("POST", props.path, { body })).data }),
    );
    if (isDone) props.onClose();
  };
  return (
    <Dialog title={words.addTitle} onClose={props.onClose}>
      <form class="form" onSubmit={add}>
        <Field label={words.columns.name} value={name} onInput={setName} />
        <Choice label={words.columns.scope} value={scope} onChange={setScope} options={Object.entries(words.scopes)} />
        <p class="hint">{words.scopeHint}</p>
        <Field label={words.columns.requests} hint={words.requestsHint} value={requests} onInput={setRequests} />
        <Field label={words.columns.origins} hint={words.originsHint} value={origins} rows={3} onInput={setOrigins} />
        <ErrorNotice error={problem} />
        <div class="actions actions-end">
          <ChangeButton type="submit" class="button button-strong" disabled={isBusy}>
            {words.addNow}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
