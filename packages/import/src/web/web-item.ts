import type { Conversion } from "../convert/conversion.ts";
import type { PassedOverReason } from "./passed-over.ts";

/** One result of reading an address. */
export type WebItem =
  | FoundPage
  | { readonly kind: "problem"; readonly place: string; readonly message: string }
  /** A page that no one named, and that is not imported. */
  | { readonly kind: "passedOver"; readonly place: string; readonly why: PassedOverReason }
  /** A typed page that its server reports as gone. */
  | { readonly kind: "gone"; readonly place: string; readonly message: string }
  | { readonly kind: "note"; readonly message: string };

export interface FoundPage {
  readonly kind: "page";
  /** The final address. */
  readonly address: string;
  readonly conversion: Conversion;
  /** Bytes fetched. */
  readonly bytes: number;
}
