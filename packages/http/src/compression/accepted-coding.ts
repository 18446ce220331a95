/** The content codings of answers. If a client weights several the same, the first is used: it makes the same text smaller, in less time. */
export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** `x-gzip` is the old name of gzip. */
const OLD_NAMES: ReadonlyMap<string, Coding> = new Map([["x-gzip", "gzip"]]);
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const IDENTITY = "identity";

/**
 * The coding that a client prefers by the weights of its Accept-Encoding; undefined for an uncompressed answer.
 * If a client accepts nothing at all, the answer is uncompressed too: an answer that it may not be able to read says more than none.
 * @param codings the codings that the answer can have
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

/** The weight of a coding, 1 if none is given; undefined if it is invalid. */
function weightOf(parameters: readonly string[]): number | undefined {
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  if (given === undefined) return 1;
  const text = given.slice(2).trim();
  return WEIGHT.test(text) ? Number(text) : undefined;
}
