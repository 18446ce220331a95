import type { AdminIdentity } from "@loredex/core";
import type { AdminAlert } from "./port.ts";

/** Whether a key may see what concerns a bot. A key for some bots sees nothing of no bot. */
export function maySee({ bots }: AdminIdentity, bot: string | undefined): boolean {
  return bots === undefined || (bot !== undefined && bots.includes(bot));
}

/** The alerts that a key may see: those of the server, and those of its bots. */
export function alertsFor({ bots }: AdminIdentity, alerts: readonly AdminAlert[]): readonly AdminAlert[] {
  if (bots === undefined) return alerts;
  return alerts.flatMap((alert) => {
    const seen = alert.bots.filter((id) => bots.includes(id));
    return seen.length === 0 && alert.bots.length > 0 ? [] : [{ ...alert, bots: seen }];
  });
}
