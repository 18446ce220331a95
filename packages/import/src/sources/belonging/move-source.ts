import { type Bot, kinds, LoredexError, requireArguments, type SourceInfo } from "@loredex/core";
import { movedPlace, sourceNamed } from "./moved-place.ts";
import { targetOf } from "./target.ts";

type SourceOwner = Pick<Bot, "listSources" | "moveSource">;
const PARAMETERS = {
  bot: kinds.anObjectWith<SourceOwner>("a bot", "listSources", "moveSource"),
  given: kinds.A_STRING,
  path: kinds.A_STRING,
};

/**
 * Records that a source is at another place now; its documents stay as they are.
 * @param given the source's name, or a path that it stands for
 * @returns its new name and its place
 * @throws LoredexError `SOURCE_NOT_FOUND`, `SOURCE_EXISTS`, `VALIDATION` if nothing is at the path, or nothing that it could be
 */
export async function moveSource(
  bot: SourceOwner,
  given: string,
  path: string,
): Promise<{ readonly from: SourceInfo["name"]; readonly source: string; readonly path: string }> {
  requireArguments("moveSource", { bot, given, path }, PARAMETERS);
  const source = sourceNamed(await bot.listSources(), given);
  const target = await targetOf(path).catch((cause: unknown) => {
    throw new LoredexError("VALIDATION", `There is no file or folder ${path} that can be read.`, { cause });
  });
  const { to, place } = movedPlace(source, target);
  await bot.moveSource(source.name, to, place);
  return { from: source.name, source: to, path: place.path };
}
