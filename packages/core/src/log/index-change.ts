/** The change of the search index that a record requires. */
export type IndexChange =
  /** This document has a new version: index it. */
  | { readonly kind: "index"; readonly id: string }
  /** No searched text changed, only other fields. */
  | { readonly kind: "amend"; readonly id: string }
  | { readonly kind: "remove"; readonly id: string }
  /** This document has more vectors. */
  | { readonly kind: "vectors"; readonly id: string }
  | { readonly kind: "none" };

/** The change of a record that changes nothing in the index. */
export const UNCHANGED: IndexChange = { kind: "none" };
