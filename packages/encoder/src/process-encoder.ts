import { availableParallelism } from "node:os";
import {
  closedError,
  type Embedder,
  type EmbedderCost,
  EmbedderError,
  kinds,
  onAbort,
  type PassagesWithTokens,
  type QuestionWithTokens,
  requireArguments,
  Semaphore,
  type TokenEncoder,
} from "@loredex/core";
import type { Manifest } from "../worker/index.js";
import { type EncoderModel, MODEL_OPTIONS } from "./encoder-model.ts";
import { type EncoderWorker, startEncoderWorker } from "./encoder-worker.ts";
import { requireModel, requireSame } from "./model-check.ts";
import { PassageBatch } from "./passage-batch.ts";
import { WorkerPool } from "./pool.ts";
import { requireRuntime } from "./runtime-check.ts";
import { type EncodedText, Task, type TaskKind } from "./task.ts";

/** Passages that may be with the workers or in their queue; further ones wait with their callers. */
const PASSAGES_MAX = 64;
/** A question takes some milliseconds. One that waits this long is behind too many others. */
const QUESTION_MS_MAX = 2_000;
/** Maximum questions that wait for a worker. */
const QUESTIONS_WAITING_MAX = 256;

export interface EncoderOptions {
  /**
   * Number of processes that encode passages. Each takes one core and the memory of the model. One more is started when a question finds all of them busy. An
   * integer from 1; default: the cores less one, at least one.
   */
  readonly workers?: number;
}

const ENCODER_OPTIONS: kinds.OptionKinds<EncoderOptions> = { workers: kinds.aWholeNumber(1) };

/**
 * Opens an embedder and starts its first worker. Rejects with `EMBEDDER_UNAVAILABLE` if onnxruntime-node or the model cannot be loaded. The message is one line
 * for the operator, and `mend` is the remedy.
 */
export async function openEncoder(model: EncoderModel, options: EncoderOptions = {}): Promise<Embedder> {
  requireArguments("openEncoder", { model, options }, { model: MODEL_OPTIONS, options: ENCODER_OPTIONS });
  await requireRuntime();
  return await openWithWorkers(model, options, () => startEncoderWorker(model));
}

/**
 * Checks if the embedder can be opened here, without loading it: an offer's `check`.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with the remedy
 */
export async function checkEncoder(model: EncoderModel): Promise<void> {
  requireArguments("checkEncoder", { model }, { model: MODEL_OPTIONS });
  await requireRuntime();
  await requireModel(model);
}

/** Opens an embedder with other workers than real processes, for tests. */
export async function openWithWorkers(
  model: EncoderModel,
  { workers = Math.max(1, availableParallelism() - 1) }: EncoderOptions,
  startWorker: () => EncoderWorker,
): Promise<Embedder> {
  const manifest = await requireModel(model);
  const opened = { id: manifest.id, version: manifest.version, tokenCodes: manifest.tokenCodes?.version };
  const pool = new WorkerPool(workers, startWorker, (loaded) => requireSame(opened, loaded, model));
  await pool.open();
  return new ProcessEncoder(model, manifest, pool);
}

class ProcessEncoder implements Embedder {
  readonly id: string;
  readonly version: string;
  readonly dimensions: number;
  readonly weight: number;
  readonly cost: EmbedderCost = { textsPerCall: PASSAGES_MAX, questionMsMax: QUESTION_MS_MAX };
  readonly tokens?: TokenEncoder;
  readonly #places = new Semaphore(PASSAGES_MAX);
  readonly #batches = new Set<PassageBatch>();
  #closed = false;

  constructor(
    private readonly model: EncoderModel,
    manifest: Manifest,
    private readonly pool: WorkerPool,
  ) {
    this.id = manifest.id;
    this.version = manifest.version;
    this.dimensions = manifest.dimensions;
    this.weight = model.weight;
    if (manifest.tokenCodes === undefined || model.tokenCalibration === undefined) return;
    this.tokens = {
      space: { version: manifest.tokenCodes.version, bytes: manifest.hidden / 8 },
      calibration: model.tokenCalibration,
      embedPassages: async (texts, signal) => passagesWithTokens(await this.#encodePassages(texts, true, signal)),
      embedQuery: async (text, signal) => questionWithTokens(await this.#encodeQuestion(text, true, signal)),
    };
  }

  calibrate(cosine: number): number {
    return this.model.calibrate(cosine);
  }

  bias(question: Float32Array): number {
    return this.model.bias?.(question) ?? 0;
  }

  smallTalk(question: Float32Array): number {
    return this.model.smallTalk?.(question) ?? 0;
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return (await this.#encodePassages(texts, false, signal)).map(({ vector }) => vector);
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    return (await this.#encodeQuestion(text, false, signal)).vector;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const batch of this.#batches) batch.stop(closedError());
    await this.pool.close();
  }

  async #encodePassages(texts: readonly string[], withTokens: boolean, signal?: AbortSignal): Promise<EncodedText[]> {
    if (this.#closed) throw closedError();
    const batch = new PassageBatch(this.#places, this.pool);
    this.#batches.add(batch);
    const forget = onAbort(signal, (reason) => batch.stop(reason));
    try {
      return await batch.embed(
        texts.map((text) => this.#prepared(text, "passage")),
        withTokens,
      );
    } finally {
      forget();
      this.#batches.delete(batch);
    }
  }

  async #encodeQuestion(text: string, withTokens: boolean, signal?: AbortSignal): Promise<EncodedText> {
    if (this.pool.questionsWaiting >= QUESTIONS_WAITING_MAX) {
      throw new EmbedderError("EMBEDDER_BUSY", `${QUESTIONS_WAITING_MAX} questions wait for the embedder already.`);
    }
    const task = new Task(this.#prepared(text, "question"), "question", withTokens);
    const forget = onAbort(signal, (reason) => task.reject(reason));
    try {
      this.pool.add(task);
      return await task.encoded;
    } finally {
      forget();
    }
  }

  #prepared(text: string, kind: TaskKind): string {
    return this.model.prepared?.(text, kind) ?? text;
  }
}

const NONE = new Uint8Array();

/** Converts encoded passages to the result of an embedder. */
function passagesWithTokens(encoded: readonly EncodedText[]): PassagesWithTokens {
  return {
    vectors: encoded.map(({ vector }) => vector),
    tokens: encoded.map(({ tokenCodes = NONE }) => ({ tokenCodes })),
  };
}

/** Converts an encoded question to the result of an embedder. */
function questionWithTokens(encoded: EncodedText): QuestionWithTokens {
  const { vector, tokenCodes = NONE, weights = new Float32Array(), pieces = [], isUnknown = false } = encoded;
  return { vector, tokens: { tokenCodes, weights, wordPieces: pieces }, ...(isUnknown ? { isUnknown } : {}) };
}
