import { fileURLToPath } from "node:url";
import { kinds, type TokenCalibration } from "@loredex/core";
import type { TaskKind } from "./task.ts";

/** A model of a package, with its parameters. */
export interface EncoderModel {
  /** The package of the files; the advice for repairs names it. */
  readonly packageName: string;
  /** The folder of `manifest.json`, and of the files that it names. */
  readonly directory: string;
  /** The program of a worker process, which calls `serveEncoder` of `@loredex/encoder/worker`. */
  readonly program: URL;
  /** As `Embedder.weight`. */
  readonly weight: number;
  /** As `Embedder.calibrate`. */
  readonly calibrate: (cosine: number) => number;
  /** As `Embedder.bias`. */
  readonly bias?: (question: Float32Array) => number;
  /** As `Embedder.smallTalk`. */
  readonly smallTalk?: (question: Float32Array) => number;
  /** As `TokenEncoder.calibration`. Without it no token codes are returned, even if the model has them. */
  readonly tokenCalibration?: TokenCalibration;
  /** Returns the text to encode, if it differs from the text itself. It runs in the host's thread, so it must take only microseconds. */
  readonly prepared?: (text: string, kind: TaskKind) => string;
}

/** Other options are refused. */
export const MODEL_OPTIONS: kinds.OptionKinds<EncoderModel> = {
  packageName: kinds.required(kinds.A_TEXT),
  directory: kinds.required(kinds.A_TEXT),
  program: kinds.required(kinds.kind<URL>("url", "a URL", (given) => given instanceof URL)),
  weight: kinds.required(kinds.aNumber(0, 1)),
  calibrate: kinds.required(kinds.A_FUNCTION),
  bias: kinds.A_FUNCTION,
  smallTalk: kinds.A_FUNCTION,
  tokenCalibration: {
    low: kinds.required(kinds.aNumber(0, 1)),
    high: kinds.required(kinds.aNumber(0, 1)),
    weight: kinds.required(kinds.aNumber(0)),
  },
  prepared: kinds.A_FUNCTION,
};

/**
 * Returns the program of a package's processes: `worker.js` beside the module with this address.
 * @param moduleUrl a parameter, since bundlers copy a file that `new URL` names beside `import.meta.url`, but not what it imports
 */
export function workerProgram(moduleUrl: string): URL {
  return new URL("./worker.js", moduleUrl);
}

/** Returns the folder `model` of the package whose `src` or `dist` has the module with this address. */
export function modelDirectory(moduleUrl: string): string {
  return fileURLToPath(new URL("../model", moduleUrl));
}
