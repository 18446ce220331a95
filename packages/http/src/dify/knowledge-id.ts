import { CONTEXTS, type SearchOptions } from "@loredex/core";

/**
 * Reads the External Knowledge ID of Dify: the id or the name of the bot that the key opens, and maybe the text that records have, as in `shop#section`.
 * Dify has no other field for it. A bot may have such a name itself: then the whole text names the bot.
 * @returns undefined if it names another bot, or another text
 */
export function contextOf(
  knowledgeId: string,
  names: readonly string[],
): NonNullable<SearchOptions["context"]> | undefined {
  if (names.includes(knowledgeId)) return "none";
  const at = knowledgeId.lastIndexOf("#");
  if (at < 0 || !names.includes(knowledgeId.slice(0, at))) return undefined;
  return CONTEXTS.find((context) => context === knowledgeId.slice(at + 1));
}
