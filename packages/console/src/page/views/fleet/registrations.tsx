import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { FleetBot, Registration } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Field } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { t } from "../../state/preferences.ts";
import { mayChange } from "../../state/session.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";

/** The agents and channels that articles may name. */
export function Registrations({ bot }: { bot: FleetBot }) {
  return (
    <>
      <p class="muted intro">{t.value.agents.intro}</p>
      <div class="findings">
        <Registered bot={bot} kind="agents" />
        <Registered bot={bot} kind="channels" />
      </div>
    </>
  );
}

function Registered({ bot, kind }: { bot: FleetBot; kind: "agents" | "channels" }) {
  const words = t.value.agents;
  const { data, error, reload } = useLoaded(
    (signal) => get<Registration[]>(ofBot(bot.id, kind), signal),
    [bot.id, kind],
  );
  const [added, setAdded] = useState("");
  const { problem, isBusy, attempt } = useAttempt();
  const put = (name: string, active: boolean) =>
    attempt(() => call("PUT", ofBot(bot.id, kind, name), { body: { active } }).then(reload));
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (added.trim() !== "" && (await put(added.trim(), true))) setAdded("");
  };
  return (
    <section aria-label={words.tables[kind]}>
      <h2>{words.tables[kind]}</h2>
      <ErrorNotice error={problem ?? error} />
      {mayChange.value && (
        <form class="toolbar" onSubmit={add}>
          <Field label={words.fields[kind]} value={added} onInput={setAdded} />
          <ChangeButton type="submit" disabled={isBusy}>
            {words.add[kind]}
          </ChangeButton>
        </form>
      )}
      {data?.length === 0 && <p class="muted">{words.none}</p>}
      <TableBox>
        <table class="table">
          <caption class="hidden">{words.tables[kind]}</caption>
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              <th scope="col">{words.state}</th>
              <th scope="col" class="col-actions">
                <span class="hidden">{t.value.knowledge.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.map(({ name, active }, i) => (
              <tr key={name}>
                <th scope="row" id={`${kind}-${i}`} class="anywhere">
                  {name}
                </th>
                <td>{words.states[`${active}`]}</td>
                <td class="col-actions">
                  <ChangeButton
                    class="button-quiet"
                    aria-describedby={`${kind}-${i}`}
                    disabled={isBusy}
                    onClick={() => put(name, !active)}
                  >
                    {active ? words.deactivate : words.activate}
                  </ChangeButton>
                  <ChangeButton
                    class="button-quiet"
                    aria-describedby={`${kind}-${i}`}
                    disabled={isBusy}
                    onClick={() => attempt(() => call("DELETE", ofBot(bot.id, kind, name)).then(reload))}
                  >
                    {words.remove}
                  </ChangeButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </section>
  );
}
