import type { Conversion } from "../convert/conversion.ts";
import type { PassedOverReason } from "./passed-over.ts";

/** What an address yields. */
export type WebItem =
  | FoundPage
  | { readonly kind: "problem"; readonly place: string; readonly message: string }
  /** Something that no one asked for by name, and that is not brought. */
  | { readonly kind: "passedOver"; readonly place: string; readonly why: PassedOverReason }
  /** A typed page that its server says is gone. */
  | { readonly kind: "gone"; readonly place: string; readonly message: string }
  | { readonly kind: "note"; readonly message: string };

export interface FoundPage {
  readonly kind: "page";
  /** Where it was in the end. */
  readonly address: string;
  readonly conversion: Conversion;
  /** How many were fetched. */
  readonly bytes: number;
}
