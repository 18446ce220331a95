import { Worker } from "node:worker_threads";
import { EmbedderError } from "@loredex/core";
import { guardExit } from "./exit-guard.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./messages.ts";
import { broken } from "./runtime-check.ts";
import { switchOffTelemetry } from "./telemetry.ts";
import { Gate } from "./worker/gate.js";

/** The worker ended while it had work. What it was given may be given to another. */
export class WorkerCrash extends Error {
  override readonly name = "WorkerCrash";
}

/** One thread that encodes one text at a time. */
export interface EncoderWorker {
  /** Rejects with `EMBEDDER_UNAVAILABLE` where the model cannot be loaded, with {@link WorkerCrash} if the thread ended. */
  readonly ready: Promise<void>;
  /** Rejects with `EMBEDDER_FAILED` if this text cannot be encoded, with {@link WorkerCrash} if the thread ended. */
  encode(text: string): Promise<Float32Array>;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Lets it finish what runs. Resolves when the thread has ended. What it still had is rejected. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

/** The program of a thread stands beside this file, in the sources as in the build. */
const PROGRAM = new URL("./worker.js", import.meta.url);

/** Starts a thread. Tests give it other programs. */
export function startEncoderWorker(modelDirectory: string, program: URL = PROGRAM): EncoderWorker {
  return new ThreadWorker(modelDirectory, program);
}

class ThreadWorker implements EncoderWorker {
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  readonly #thread: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #closing = false;
  #crash: WorkerCrash | undefined;

  constructor(modelDirectory: string, program: URL) {
    const gate = new Gate();
    const start: WorkerStart = { modelDirectory, gate: gate.shared };
    switchOffTelemetry();
    this.#thread = new Worker(program, {
      name: "minilm",
      workerData: start,
      // What the host program was started with (loaders, inspectors) is not for this thread.
      execArgv: [],
    });
    const unguard = guardExit(gate);
    let cause: unknown;
    this.#thread.on("error", (error) => {
      cause = error;
    });
    this.ended = new Promise((resolve) => {
      this.#thread.on("exit", () => {
        unguard();
        this.#fail(new WorkerCrash("A worker of the embedder ended unexpectedly.", { cause }));
        resolve();
      });
    });
    this.ready = new Promise((resolve, reject) => {
      this.#thread.on("message", (message: FromWorker) => {
        if (message.kind === "ready") resolve();
        else if (message.kind === "unavailable") reject(broken(message.reason));
        else this.#settle(message);
      });
      void this.ended.then(() => reject(this.#crash));
    });
    this.ready.then(
      () => this.#hold(),
      () => undefined,
    );
  }

  encode(text: string): Promise<Float32Array> {
    if (this.#crash !== undefined) return Promise.reject(this.#crash);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#hold();
      this.#say({ kind: "encode", id, text });
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#hold();
    // Never `terminate`: in the middle of a native call that would abort the process.
    this.#say({ kind: "close" });
    await this.ended;
  }

  /** A thread with nothing to do does not keep the process running: a forgotten `close` hangs nothing. */
  #hold(): void {
    if (this.#closing || this.#waiting.size > 0) this.#thread.ref();
    else this.#thread.unref();
  }

  #say(message: ToWorker): void {
    this.#thread.postMessage(message);
  }

  #settle(message: Extract<FromWorker, { kind: "vector" | "failed" }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    this.#hold();
    if (message.kind === "vector") waiting?.resolve(message.vector);
    else waiting?.reject(new EmbedderError("EMBEDDER_FAILED", `A text could not be encoded: ${message.reason}.`));
  }

  #fail(crash: WorkerCrash): void {
    this.#crash = crash;
    for (const waiting of this.#waiting.values()) waiting.reject(crash);
    this.#waiting.clear();
  }
}
