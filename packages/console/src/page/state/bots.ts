import { computed, signal } from "@preact/signals";
import { get } from "../api/client.ts";
import type { FleetBot } from "../api/types.ts";
import { query, setParameters } from "./route.ts";

/** Undefined until they are loaded. */
export const bots = signal<readonly FleetBot[] | undefined>(undefined);

/** The bot of the view: that of the address by name or id, else the first. */
export const bot = computed(() => {
  const named = query.value.get("bot");
  const all = bots.value ?? [];
  return all.find(({ id, name }) => name === named || id === named) ?? all[0];
});

export async function loadBots(signal?: AbortSignal): Promise<void> {
  bots.value = await get<FleetBot[]>("/bots", signal);
}

/** The name of a bot by its id. A bot that is no more has its id alone. */
export function nameOf(id: string): string {
  return bots.value?.find((each) => each.id === id)?.name ?? id;
}

export function chooseBot(id: string): void {
  const chosen = bots.value?.find((each) => each.id === id);
  setParameters({ bot: chosen?.name, q: undefined });
}
