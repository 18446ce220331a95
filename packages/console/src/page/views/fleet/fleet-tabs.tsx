import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../state/preferences.ts";
import { addressOf } from "../../state/route.ts";

/** The parts of the view that are of no bot. */
export function FleetTabs({ shown }: { shown: "overview" | "changes" }) {
  return (
    <Tabs
      parts={[
        { to: addressOf("fleet"), name: t.value.bots.overview, isCurrent: shown === "overview" },
        { to: addressOf("fleet/changes"), name: t.value.changes.tab, isCurrent: shown === "changes" },
      ]}
    />
  );
}
