import type { Bot, Engine } from "@loredex/core";

/** More characters than any bench brings. */
const PLENTY = 1_000_000_000_000;
export const NO_LIMITS = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY } as const;

/** A new bot that takes as much as it is given; without an embedder it has the engine's default. */
export async function unlimitedBot(
  engine: Engine,
  name: string,
  embedder?: string,
): Promise<{ readonly bot: Bot; readonly key: string }> {
  const options = { name, ...NO_LIMITS, ...(embedder === undefined ? {} : { embedder }) };
  const { bot: info, key } = await engine.createBot(options);
  return { bot: await engine.bot(info.id), key };
}

const LOOK_MS = 50;

/** Resolves when every vector is in the bot's graph, or it has none. */
export async function whenGraphIsReady(bot: Bot): Promise<void> {
  await bot.whenUpgraded();
  while ((await bot.stats()).vectors.graph === "building") await new Promise((go) => setTimeout(go, LOOK_MS));
}
