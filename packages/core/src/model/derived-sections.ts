/** The sections of a bot's snapshot that can be made again: what is wrong with one never keeps a bot from being opened. */

/** The search index, made again from the documents. */
export const INDEX_SECTION = "search-index";
/** The static embedder's vectors, made again from the documents. */
export const FIRST_VECTORS_SECTION = "first-vectors";
/** The embedder's vectors. They take long to be made again and may have been paid for, so whatever still has them is preferred. */
export const VECTORS_SECTION = "vectors";

const DERIVED: ReadonlySet<string> = new Set([INDEX_SECTION, FIRST_VECTORS_SECTION, VECTORS_SECTION]);

/** Whether a section holds nothing that is not made again where it is missing. */
export function isDerivedSection(name: string): boolean {
  return DERIVED.has(name);
}
