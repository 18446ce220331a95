/** Messages between the host and a worker process. */
import type { EncodedText, TaskKind } from "./task.ts";

/** The loaded model of a process, by its manifest at that time: the files may have changed since the host program read it. */
export interface LoadedModel {
  readonly id: string;
  readonly version: string;
  /** The version of the token codes; undefined for a model without them. */
  readonly tokenCodes?: string | undefined;
}

export type ToWorker =
  | { readonly kind: "encode"; readonly id: number; readonly text: string; readonly tokens?: TaskKind | undefined }
  /** Finish the running text, release the model, end. */
  | { readonly kind: "close" };

export type FromWorker =
  | ({ readonly kind: "ready" } & LoadedModel)
  /** The runtime or the model cannot be loaded; the worker ends. */
  | { readonly kind: "unavailable"; readonly part: "runtime" | "model"; readonly reason: string }
  | ({ readonly kind: "vector"; readonly id: number } & EncodedText)
  /** This text could not be encoded; the worker continues. */
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };
