/** What the two sides of a worker process say to each other. */
import type { EncodedText, TaskKind } from "./task.ts";

/** The model that a process has loaded, by what its manifest says then: the files may have changed since the host program read it. */
export interface LoadedModel {
  readonly id: string;
  readonly version: string;
  /** The version of the token codes; undefined for a model without them. */
  readonly tokenCodes?: string | undefined;
}

export type ToWorker =
  | { readonly kind: "encode"; readonly id: number; readonly text: string; readonly tokens?: TaskKind | undefined }
  /** Finish what runs, release the model, end. */
  | { readonly kind: "close" };

export type FromWorker =
  | ({ readonly kind: "ready" } & LoadedModel)
  /** The runtime or the model cannot be loaded; the worker ends. */
  | { readonly kind: "unavailable"; readonly part: "runtime" | "model"; readonly reason: string }
  | ({ readonly kind: "vector"; readonly id: number } & EncodedText)
  /** This text could not be encoded; the worker goes on. */
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };
