import { type Bot, type DocumentOrigin, kinds, requireArguments } from "@loredex/core";
import type { ImportTarget } from "@loredex/import";
import type { Operator } from "./operator.ts";

const ORIGIN_OPTIONS: kinds.OptionKinds<{ readonly source: DocumentOrigin }> = {
  source: kinds.required(kinds.anObject<DocumentOrigin>()),
};
const AN_OPERATOR = kinds.anObjectWith<Operator>("an operator", "listSources", "importDocument");

/** A bot behind an operator, as imports use it. */
export function importTarget(operator: Operator, bot: string): ImportTarget & Pick<Bot, "moveSource"> {
  requireArguments("importTarget", { operator, bot }, { operator: AN_OPERATOR, bot: kinds.A_STRING });
  return {
    listSources: () => operator.listSources(bot),
    ownedDocuments: (sources) => operator.ownedDocuments(bot, sources),
    putSourceArgument: (source, argument, options = {}) => operator.putSourceArgument(bot, source, argument, options),
    importDocument: async (document, options) => {
      requireArguments("ImportTarget.importDocument", { options }, { options: ORIGIN_OPTIONS });
      return operator.importDocument(bot, document, options.source);
    },
    removeDocument: async (id, options) => {
      requireArguments("ImportTarget.removeDocument", { options }, { options: ORIGIN_OPTIONS });
      await operator.removeDocument(bot, id, options.source);
    },
    moveSource: (source, to, argument) => operator.moveSource(bot, source, to, argument),
  };
}
