import { type EmbedderOffer, type Missing, missingGraphLibrary, tryEmbedder } from "@loredex/core";
import { type Check, fine, lacking } from "./check.ts";

type Offers = Readonly<Record<string, EmbedderOffer>>;

/**
 * Has every embedder read a sentence that new bots get, or that the environment names. One that is there for nobody but those who choose it is
 * a note where it is missing, and so is that of all other languages, whose package is installed by whoever has such bots.
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
    // What asks a model server is only asked where there is one.
    if (offer.open === undefined || (!isExpected && !isForOthers && offer.static === undefined)) continue;
    const missing = await tryEmbedder(name, offer);
    const what = `embedder ${name}`;
    if (missing === undefined) checks.push(fine(what, "loads, and has read a sentence"));
    else if (isForOthers) checks.push(forOthers(what, missing));
    else checks.push(lacking(what, isExpected ? "wrong" : "note", missing));
  }
  return checks;
}

/** Most that read it have English bots, and lack nothing. */
function forOthers(name: string, { why, mend }: Missing): Check {
  const message = `Bots of other languages than English are found by words alone: ${why}.`;
  if (mend === undefined) return { name, state: "note", message };
  return { name, state: "note", message: `${message} To mend it: ${mend}`, mend };
}

/** Has the graph backend loaded that the settings choose. The built-in one is always there, so nothing is said of it. */
export async function checkGraph(chosen: unknown, missingGraph = missingGraphLibrary): Promise<Check[]> {
  if (chosen !== "hnswlib") return [];
  const missing = await missingGraph();
  return [missing === undefined ? fine("graph hnswlib", "loads") : lacking("graph hnswlib", "wrong", missing)];
}
