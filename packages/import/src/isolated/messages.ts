import type { Conversion, RawFile } from "../convert/conversion.ts";

/** A file to convert, with its bytes, or with the path where the converting process reads them. */
export type FileToConvert = Omit<RawFile, "bytes"> &
  ({ readonly bytes: Uint8Array } | { /** Absolute. */ readonly path: string });

export interface ToProgram {
  readonly id: number;
  readonly file: FileToConvert;
}

export type FromProgram =
  | { readonly kind: "ready" }
  /** `memoryBytes` is the present memory of the process. */
  | { readonly kind: "converted"; readonly id: number; readonly conversion: Conversion; readonly memoryBytes: number }
  /** The converter refused the file, with a message for its owner. */
  | {
      readonly kind: "refused";
      readonly id: number;
      readonly message: string;
      readonly line?: number;
      readonly memoryBytes: number;
    };
