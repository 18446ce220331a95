import type { BotInfo } from "../model/types.ts";
import type { EngineFigures, FleetBot } from "../model/work.ts";
import type { BotAdvice } from "./bot-advice.ts";
import type { CatalogEntry } from "./catalog-state.ts";
import type { KeptFigures } from "./kept-figures.ts";

/** All bots with their figures and advice, as far as these are known without opening them. */
export function fleetOf(
  bots: readonly BotInfo[],
  known: ReturnType<KeptFigures["all"]>,
  advice: BotAdvice,
): FleetBot[] {
  return bots.map((bot) => {
    const figures = known.get(bot.id);
    const given = advice.of(bot, figures?.writtenIn);
    const told = given.length === 0 ? bot : { ...bot, advice: given };
    // A limit may change while its bot is closed.
    return figures === undefined ? told : { ...told, figures: { ...figures, quotaCharacters: bot.quotaCharacters } };
  });
}

/** The figures of all bots for metrics, as far as they are known. */
export function fleetFigures(
  bots: readonly CatalogEntry[],
  known: ReturnType<KeptFigures["all"]>,
): EngineFigures["fleet"] {
  return bots.map(({ id, settings: { name, quotaCharacters } }) => {
    return { id, name, quotaCharacters, figures: known.get(id) };
  });
}
