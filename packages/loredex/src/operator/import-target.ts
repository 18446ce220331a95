import { type Bot, type DocumentOrigin, type OptionNames, requireKnownOptions } from "@loredex/core";
import type { ImportTarget } from "@loredex/import";
import type { Operator } from "./operator.ts";

const ORIGIN_OPTIONS: OptionNames<{ readonly source: DocumentOrigin }> = { source: true };

/** A bot on the other side of an operator, as imports use it. */
export function importTarget(operator: Operator, bot: string): ImportTarget & Pick<Bot, "moveSource"> {
  return {
    listSources: () => operator.listSources(bot),
    ownedDocuments: (sources) => operator.ownedDocuments(bot, sources),
    putSourceArgument: (source, argument, options = {}) => operator.putSourceArgument(bot, source, argument, options),
    importDocument: async (document, options) => {
      requireKnownOptions(options, ORIGIN_OPTIONS);
      return operator.importDocument(bot, document, options.source);
    },
    removeDocument: async (id, options) => {
      requireKnownOptions(options, ORIGIN_OPTIONS);
      await operator.removeDocument(bot, id, options.source);
    },
    moveSource: (source, to, argument) => operator.moveSource(bot, source, to, argument),
  };
}
