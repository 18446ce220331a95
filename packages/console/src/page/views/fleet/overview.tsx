import { useState } from "preact/hooks";
import { get } from "../../api/client.ts";
import type { Alert, FleetBot, KnownFigures, LiveBot, Status } from "../../api/types.ts";
import { ShortBar } from "../../parts/bar.tsx";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Heading } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { ShownKey } from "../../parts/shown-key.tsx";
import { TableBox } from "../../parts/table-box.tsx";
import { bots, nameOf } from "../../state/bots.ts";
import { milliseconds, number, percent } from "../../state/formats.ts";
import { isLive, liveAlerts, liveBots } from "../../state/live.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, navigate } from "../../state/route.ts";
import { mayCreate } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { FleetTabs } from "./fleet-tabs.tsx";
import { NewBot } from "./new-bot.tsx";
import { Restore } from "./restore.tsx";

/** The key that a bot is made with. */
const DEFAULT_KEY = "default";

interface Made {
  readonly message: string;
  readonly key: string | undefined;
}

/** All bots, live, and the alerts with their meanings. */
export function Overview() {
  const words = t.value.fleet;
  const { data, error } = useLoaded((signal) => get<Status>("/status", signal), []);
  const live = new Map(liveBots.value.map((each) => [each.id, each]));
  const all = bots.value ?? [];
  const [dialog, setDialog] = useState<"new" | "restore">();
  const [made, setMade] = useState<Made>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Heading
        aside={
          <>
            <span class={isLive.value ? "live live-on" : "live"} role="status">
              {isLive.value ? words.live : words.notLive}
            </span>
            <FleetTabs shown="overview" />
          </>
        }
      >
        {t.value.views.fleet}
      </Heading>
      <ErrorNotice error={error} />
      <Alerts alerts={liveAlerts.value ?? data?.alerts} />
      {all.length === 0 && (
        <Empty>
          <p>{t.value.shell.noBots}</p>
          {!mayCreate.value && <p class="muted">{t.value.shell.newBot}</p>}
        </Empty>
      )}
      {made !== undefined && (
        <p class="notice notice-good" role="status">
          {made.message}
        </p>
      )}
      {made?.key !== undefined && (
        <ShownKey key={made.key} name={DEFAULT_KEY} text={made.key} onHide={() => setMade(undefined)} />
      )}
      {mayCreate.value && (
        <p class="actions actions-end fleet-actions">
          <ChangeButton onClick={() => setDialog("restore")}>{t.value.backups.restore}</ChangeButton>
          <ChangeButton class="button button-strong" onClick={() => setDialog("new")}>
            {t.value.bots.new}
          </ChangeButton>
        </p>
      )}
      <TableBox>
        <table class="table fleet-table">
          <caption class="hidden">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.columns.name}</th>
              <th scope="col">{words.columns.condition}</th>
              <th scope="col" class="number wide-only">
                {words.columns.documents}
              </th>
              <th scope="col">{words.columns.quota}</th>
              <th scope="col" class="number">
                {words.columns.questions}
              </th>
              {(["p50", "p95", "p99"] as const).map((each) => (
                <th key={each} scope="col" class="number wide-only">
                  {words.columns[each]}
                </th>
              ))}
              <th scope="col" class="wide-only">
                {words.columns.vectors}
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((each) => (
              <BotRow key={each.id} bot={each} live={live.get(each.id)} />
            ))}
          </tbody>
        </table>
      </TableBox>
      {data !== undefined && <p class="muted block">{words.version(data.version)}</p>}
      {dialog === "new" && (
        <NewBot onClose={close} onDone={({ bot, key }) => setMade({ message: t.value.bots.created(bot.name), key })} />
      )}
      {dialog === "restore" && (
        <Restore
          onClose={close}
          onDone={({ bot, key }) => setMade({ message: t.value.backups.restored(bot.name), key })}
        />
      )}
    </>
  );
}

function BotRow({ bot, live }: { bot: FleetBot; live: LiveBot | undefined }) {
  const words = t.value.fleet;
  const figures = live?.figures ?? bot.figures;
  const used = figures === undefined ? 0 : figures.characterUsed / Math.max(1, bot.quotaCharacters);
  const advice = bot.advice?.map(({ story }) => story) ?? [];
  return (
    <tr>
      <th scope="row" class="anywhere">
        <span id={`bot-${bot.id}`}>{bot.name}</span>
        <button
          type="button"
          class="button-quiet manage"
          aria-describedby={`bot-${bot.id}`}
          onClick={() => navigate(addressOf("fleet/settings", { bot: bot.name }))}
        >
          {t.value.bots.manage}
        </button>
        {advice.map((each) => (
          <span key={each} class="cell-note muted">
            {each}
          </span>
        ))}
      </th>
      <td>
        <span class="condition">
          <span class={bot.fault === undefined ? "dot dot-active" : "dot dot-fault"} aria-hidden="true" />
          {bot.fault === undefined ? words.healthy : (words.faults[bot.fault.kind] ?? bot.fault.kind)}
        </span>
        {bot.fault !== undefined && <span class="cell-note muted">{bot.fault.message}</span>}
      </td>
      <td class="number wide-only">
        {figures === undefined ? "–" : number(figures.articles + figures.documents)}
        {figures !== undefined && figures.indexQueue > 0 && (
          <span class="cell-note muted">{words.indexing(figures.indexQueue)}</span>
        )}
      </td>
      <td>
        <span class="score">
          <ShortBar value={used} isFull={used > 0.9} />
          {percent(used)}
        </span>
      </td>
      <td class="number">{number(Math.round(live?.questions ?? 0))}</td>
      <td class="number wide-only">{milliseconds(live?.p50Ms)}</td>
      <td class="number wide-only">{milliseconds(live?.p95Ms)}</td>
      <td class="number wide-only">{milliseconds(live?.p99Ms)}</td>
      <td class="wide-only">
        <Vectors bot={bot} figures={figures} />
      </td>
    </tr>
  );
}

/** How much of a bot's knowledge its embedder has seen. */
function Vectors({ bot, figures }: { bot: FleetBot; figures: KnownFigures | undefined }) {
  const words = t.value.fleet;
  if (bot.embedder === "none") return <span class="muted">{words.noEmbedder}</span>;
  if (figures === undefined) return <span>–</span>;
  const share = figures.texts === 0 ? 1 : figures.vectors / figures.texts;
  return (
    <>
      <span class="score">
        <ShortBar value={share} />
        {share >= 1 ? words.complete : percent(share)}
      </span>
      {figures.documentsWaiting > 0 && <span class="cell-note muted">{words.waiting(figures.documentsWaiting)}</span>}
    </>
  );
}

function Alerts({ alerts }: { alerts: readonly Alert[] | undefined }) {
  const words = t.value.fleet;
  if (alerts === undefined) return null;
  return (
    <section aria-label={words.alerts} class="alerts">
      <h2>{words.alerts}</h2>
      {alerts.length === 0 && <p class="muted">{words.noAlerts}</p>}
      {alerts.map(({ name, severity, meaning, bots: named }) => (
        <div key={name} class={`card alert alert-${severity}`}>
          <p>
            <strong>{name}</strong> <span class="badge">{severity}</span>
          </p>
          <p>{meaning}</p>
          {named !== undefined && named.length > 0 && <p class="muted">{named.map(nameOf).join(", ")}</p>}
        </div>
      ))}
    </section>
  );
}
