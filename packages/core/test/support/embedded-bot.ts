import type { Bot } from "../../src/bot.ts";
import type { EmbedderOffer } from "../../src/embedding/embedder.ts";
import { Engine, type EngineOptions } from "../../src/engine.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import type { Storage } from "../../src/storage/store.ts";
import { FakeEmbedder, type FakeOptions } from "./fake-embedder.ts";

export const CAR = { title: "The shop", body: "You can buy a car here." };
export const ICE = { title: "The pole", body: "Penguins live on ice." };
/** Shares no word with the article about the car. */
export const QUESTION = "purchase automobile";

export interface Opened {
  readonly engine: Engine;
  readonly bot: Bot;
  readonly fakes: FakeEmbedder[];
  readonly events: LogEvent[];
}

export function offer(fakes: FakeEmbedder[], options: FakeOptions = {}): EmbedderOffer {
  return {
    languages: ["en"],
    open: async () => {
      const fake = new FakeEmbedder(options);
      fakes.push(fake);
      return fake;
    },
  };
}

/** An engine with one bot, made if it is not there. */
export async function opened(storage: Storage, options: FakeOptions = {}, more: EngineOptions = {}): Promise<Opened> {
  const [fakes, events]: [FakeEmbedder[], LogEvent[]] = [[], []];
  const embedders = { fake: offer(fakes, options) };
  const engine = await Engine.open({ storage, embedders, logger: (event) => events.push(event), ...more });
  if (engine.findBot("bot") === undefined) await engine.createBot({ name: "bot", rateCharactersPerMinute: 1_000_000 });
  return { engine, bot: await engine.bot("bot"), fakes, events };
}

export async function titles(bot: Bot, query: string): Promise<unknown[]> {
  return (await bot.search(query)).map(({ metaData }) => metaData.title);
}

export const eventsOf = (events: readonly LogEvent[]): string[] => events.map(({ event }) => event);
