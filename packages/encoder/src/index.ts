export { beginning } from "../worker/beginning.js";
export { type EncoderModel, modelDirectory, workerProgram } from "./encoder-model.ts";
export { startEncoderWorker } from "./encoder-worker.ts";
export { checkEncoder, type EncoderOptions, openEncoder } from "./process-encoder.ts";
export type { TaskKind } from "./task.ts";
