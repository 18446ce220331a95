import { Heading } from "../../parts/field.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { bot } from "../../state/bots.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, route } from "../../state/route.ts";
import { Backups } from "./backups.tsx";
import { Changes } from "./changes.tsx";
import { Keys } from "./keys.tsx";
import { Overview } from "./overview.tsx";
import { Registrations } from "./registrations.tsx";
import { Settings } from "./settings.tsx";

const PAGES = { settings: Settings, keys: Keys, agents: Registrations, backups: Backups } as const;
const PARTS = Object.keys(PAGES) as (keyof typeof PAGES)[];

/** All bots, the pages of each, and the audit log. */
export function Fleet() {
  const [part] = route.value.rest;
  const shown = PARTS.find((each) => each === part);
  if (bot.value === undefined || shown === undefined) {
    return part === "changes" ? <Changes /> : <Overview />;
  }
  const Page = PAGES[shown];
  const parts = PARTS.map((each) => ({
    to: addressOf(`fleet/${each}`),
    name: t.value.bots.parts[each],
    isCurrent: each === shown,
  }));
  return (
    <>
      <Heading aside={<Tabs parts={parts} />}>{bot.value.name}</Heading>
      <Page bot={bot.value} />
    </>
  );
}
