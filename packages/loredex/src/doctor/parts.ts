import { type EmbedderOffer, type Missing, tryEmbedder } from "@loredex/core";
import { type Check, fine, lacking } from "./check.ts";

type Offers = Readonly<Record<string, EmbedderOffer>>;

/**
 * Has every embedder read a sentence that new bots get, or that the environment names. One that is there for nobody but those who choose it is
 * a note where it is missing.
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
    const isExpected = offer.languages.length > 0 || isNamed;
    // What asks a model server is only asked where there is one.
    if (offer.open === undefined || (!isExpected && offer.student === undefined)) continue;
    const missing = await tryEmbedder(name, offer);
    const what = `embedder ${name}`;
    checks.push(
      missing === undefined
        ? fine(what, "loads, and has read a sentence")
        : lacking(what, isExpected ? "wrong" : "note", missing),
    );
  }
  return checks;
}

/** It is compiled when it is installed, which many machines cannot do: without it the same is found, so it is no failure. */
export function checkGraphLibrary(missing: Missing | undefined): Check {
  const name = "graph library";
  return missing === undefined ? fine(name, "loads") : lacking(name, "note", missing);
}
