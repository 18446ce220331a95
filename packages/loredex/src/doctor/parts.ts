import { type EmbedderOffer, GRAPH_KINDS, type Missing, missingGraphLibrary, tryEmbedder } from "@loredex/core";
import { type Check, fine, lacking } from "./check.ts";

type Offers = Readonly<Record<string, EmbedderOffer>>;

/**
 * Has each embedder of new bots, and each one named in the environment, encode a sentence.
 * A missing optional embedder is a note, not a failure. So is the one for all other languages, which only operators with such bots install.
 */
export async function checkEmbedders(
  offers: Offers,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, offer] of Object.entries(offers)) {
    const isNamed = Object.entries(environment).some(
      ([variable, value]) => variable.startsWith(`LOREDEX_${name.toUpperCase()}_`) && value?.trim() !== "",
    );
    const isForOthers = offer.languages.includes("*");
    const isExpected = isNamed || (offer.languages.length > 0 && !isForOthers);
    // An embedder of a model server is only checked if a server is configured.
    if (offer.open === undefined || (!isExpected && !isForOthers && offer.static === undefined)) continue;
    const missing = await tryEmbedder(name, offer);
    const what = `embedder ${name}`;
    if (missing === undefined) checks.push(fine(what, "loads, and has read a sentence"));
    else if (isForOthers) checks.push(forOthers(what, missing));
    else checks.push(lacking(what, isExpected ? "wrong" : "note", missing));
  }
  return checks;
}

/** A note about the embedder of other languages. Most installations have English bots, and need nothing. */
function forOthers(name: string, { why, mend }: Missing): Check {
  const message = `Bots of other languages than English are found by words alone: ${why}.`;
  if (mend === undefined) return { name, state: "note", message };
  return { name, state: "note", message: `${message} To mend it: ${mend}`, mend };
}

/** Loads the graph backend of the settings. The built-in one is always available, so it is not reported. */
export async function checkGraph(chosen: unknown, missingGraph = missingGraphLibrary): Promise<Check[]> {
  const kind = GRAPH_KINDS.find((known) => known === chosen);
  if (kind === undefined || kind === GRAPH_KINDS[0]) return [];
  const missing = await missingGraph(kind);
  const what = `graph ${kind}`;
  return [missing === undefined ? fine(what, "loads") : lacking(what, "wrong", missing)];
}
