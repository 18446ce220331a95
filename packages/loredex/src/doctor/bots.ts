import { type AdvisedBot, type EmbedderOffer, LoredexError } from "@loredex/core";
import { advisedBots } from "../operator/connect.ts";
import type { Place } from "../place.ts";
import { grouped, oneLine } from "../terminal/terminal.ts";
import type { Check } from "./check.ts";

/** The most bots that are listed. "bot list" names all. */
const TOLD_MAX = 10;

/** Advice about the settings of bots, as notes, since each setting may be intended. Empty if the bots cannot be read. */
export async function checkBots(place: Place, embedders: Readonly<Record<string, EmbedderOffer>>): Promise<Check[]> {
  const advised = await advisedBots(place, embedders).catch((error: unknown) => {
    // The checks of the directory report why it cannot be read.
    if (error instanceof LoredexError) return [];
    throw error;
  });
  const notes = advised
    .slice(0, TOLD_MAX)
    .flatMap(({ name, advice }: AdvisedBot) =>
      advice.map(
        ({ story, mend }): Check => ({ name: "bot", state: "note", message: `${oneLine(name)}: ${story}`, mend }),
      ),
    );
  const more = advised.length - TOLD_MAX;
  if (more <= 0) return notes;
  const message = `${grouped(more)} more have settings that may be mended: "loredex bot list" has a line for each.`;
  return [...notes, { name: "bots", state: "note", message }];
}
