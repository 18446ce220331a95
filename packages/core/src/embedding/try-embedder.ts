import { reasonOf } from "../model/errors.ts";
import { A_STRING } from "../model/known-options.ts";
import { type Instead, type Missing, missingEmbedder } from "../model/missing.ts";
import { requireArguments } from "../model/require-options.ts";
import { type EmbedderOffer, OFFER_OPTIONS } from "./embedder.ts";
import { closeUnusable, requireUsable } from "./embedder-checks.ts";
import { EmbedderError } from "./embedder-error.ts";
import { requireLength, requireNumbers } from "./vector-checks.ts";

const SENTENCE = "How long does a refund take?";

/** Describes a missing embedder for the operator: `problem` is the error, `instead` the fallback. */
export function missingFor(name: string, problem: unknown, instead: Exclude<Instead, "scan">): Missing {
  const mend = problem instanceof EmbedderError ? problem.mend : undefined;
  return missingEmbedder({ name, why: reasonOf(problem), mend }, instead);
}

/**
 * Tests an embedder: opens it, embeds one sentence, and closes it.
 * @returns why it cannot be used, in the words of an engine; undefined if it can, or if the offer has no `open`
 */
export async function tryEmbedder(name: string, offer: EmbedderOffer): Promise<Missing | undefined> {
  requireArguments("tryEmbedder", { name, offer }, { name: A_STRING, offer: OFFER_OPTIONS });
  const { open, static: openStatic } = offer;
  try {
    if (open === undefined) return undefined;
    const embedder = await open();
    try {
      requireUsable(embedder);
      const vector = await embedder.embedQuery(SENTENCE);
      requireLength(vector, embedder.dimensions);
      requireNumbers(vector);
    } finally {
      await closeUnusable(embedder);
    }
    return undefined;
  } catch (error) {
    return missingFor(name, error, openStatic === undefined ? "words" : "static");
  }
}
