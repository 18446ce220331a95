/** Content codings that answers are sent in. Where a client likes several the same, the first: it makes less of the same text, in less time. */
export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** `x-gzip` is what gzip was called at first. */
const OLD_NAMES: ReadonlyMap<string, Coding> = new Map([["x-gzip", "gzip"]]);
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const IDENTITY = "identity";

/**
 * The coding that a client wants most, by the weights of its Accept-Encoding; undefined for the text as it is. That is sent too where a
 * client accepts nothing at all: an answer that he may not be able to read says more than none.
 * @param codings in which the answer can be had
 */
export function acceptedCoding(header: string | undefined, codings: readonly Coding[] = CODINGS): Coding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    const weight = weightOf(parameters);
    if (name !== "" && weight !== undefined) weights.set(OLD_NAMES.get(name) ?? name, weight);
  }
  const others = weights.get("*") ?? 0;
  const plain = weights.get(IDENTITY) ?? 0;
  let best: { readonly coding: Coding; readonly weight: number } | undefined;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? others;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  return best === undefined || best.weight < plain ? undefined : best.coding;
}

/** Undefined for one that is none: of what cannot be read nothing is known. */
function weightOf(parameters: readonly string[]): number | undefined {
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  if (given === undefined) return 1;
  const text = given.slice(2).trim();
  return WEIGHT.test(text) ? Number(text) : undefined;
}
