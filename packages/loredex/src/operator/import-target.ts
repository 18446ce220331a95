import type { Bot } from "@loredex/core";
import type { ImportTarget } from "@loredex/import";
import type { Operator } from "./operator.ts";

/** A bot on the other side of an operator, as imports use it. */
export function importTarget(operator: Operator, bot: string): ImportTarget & Pick<Bot, "moveSource"> {
  return {
    listSources: () => operator.listSources(bot),
    ownedDocuments: (sources) => operator.ownedDocuments(bot, sources),
    putSourceArgument: (source, argument, options = {}) => operator.putSourceArgument(bot, source, argument, options),
    importDocument: (document, { source }) => operator.importDocument(bot, document, source),
    removeDocument: (id, { source }) => operator.removeDocument(bot, id, source),
    moveSource: (source, to, argument) => operator.moveSource(bot, source, to, argument),
  };
}
