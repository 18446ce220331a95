import type { Salvage } from "@loredex/core";
import type { SalvagePart } from "./operator.ts";

/** A salvage part by part, as it is written to a file or sent. */
export async function* salvageParts(salvage: () => Promise<Salvage>): AsyncGenerator<SalvagePart> {
  const { documents, articles, ...end } = await salvage();
  for (const document of documents) yield { kind: "document", document };
  for (const article of articles) yield { kind: "article", article };
  yield { kind: "end", ...end };
}
