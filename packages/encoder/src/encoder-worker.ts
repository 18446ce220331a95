import { type ChildProcess, fork } from "node:child_process";
import { EmbedderError } from "@loredex/core";
import type { EncoderModel } from "./encoder-model.ts";
import type { FromWorker, LoadedModel, ToWorker } from "./messages.ts";
import { afterRunning } from "./patience.ts";
import { broken, damaged } from "./runtime-check.ts";
import { type Ending, startProblem } from "./start-problem.ts";
import type { EncodedText, TaskKind } from "./task.ts";

/** A start takes some seconds at most, a text a fraction of one. A process that is silent for this long is frozen. */
const SILENCE_MS_MAX = 60_000;
/** Nobody needs the remaining work of a process being closed, and a server that is stopped has only a few seconds. */
const CLOSE_MS_MAX = 2_000;

/** The worker ended while it had work. The work may be given to another worker. */
export class WorkerCrash extends Error {
  override readonly name = "WorkerCrash";
}

/**
 * A process that encodes one text at a time. It is no thread of the host program, because the runtime permits one per process. Loaded by a second thread, or
 * again by a later one, it fails or corrupts memory. A crash in native code ends this process alone.
 */
export interface EncoderWorker {
  /** Resolves with the loaded model. Rejects with `EMBEDDER_UNAVAILABLE` if the model cannot be loaded, or if the process ended or was frozen for a minute. */
  readonly ready: Promise<LoadedModel>;
  /**
   * Encodes a text, with token codes on request. Rejects with `EMBEDDER_FAILED` if this text cannot be encoded. Rejects with {@link WorkerCrash} if the process
   * ended or was frozen for a minute.
   */
  encode(text: string, tokens?: TaskKind): Promise<EncodedText>;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Lets it finish the running text, for 2 seconds at most. Resolves when the process has ended. Its remaining work is rejected. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(encoded: EncodedText): void;
  reject(error: Error): void;
}

/** The part of its model that a process needs. */
export type WorkerModel = Pick<EncoderModel, "packageName" | "directory" | "program">;

/** Starts a process. */
export function startEncoderWorker(model: WorkerModel): EncoderWorker {
  return new ProcessWorker(model);
}

class ProcessWorker implements EncoderWorker {
  readonly ready: Promise<LoadedModel>;
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #closing = false;
  #crash: WorkerCrash | undefined;
  #silence: Pick<Ending, "silentMs"> = {};
  #stopWatching = (): void => undefined;

  constructor(model: WorkerModel) {
    this.#process = fork(model.program, [model.directory], {
      // Loaders and inspectors of the host program are not for this process.
      execArgv: [],
      env: workerEnvironment(),
      // Vectors are sent as typed arrays.
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#watch(SILENCE_MS_MAX);
    const ending = whenEnded(this.#process).then((how) => ({ ...how, ...this.#silence }));
    this.ended = ending.then((how) => {
      this.#stopWatching();
      this.#fail(new WorkerCrash("A worker of the embedder ended unexpectedly.", { cause: causeOf(how) }));
    });
    this.ready = new Promise((resolve, reject) => {
      this.#process.on("message", (message: FromWorker) => {
        if (message.kind === "ready")
          resolve({ id: message.id, version: message.version, tokenCodes: message.tokenCodes });
        else if (message.kind === "unavailable") reject(unavailable(message, model));
        else this.#settle(message);
      });
      void ending.then((how) => reject(startProblem(how)));
    });
    this.ready.then(
      () => this.#attend(),
      () => undefined,
    );
  }

  encode(text: string, tokens?: TaskKind): Promise<EncodedText> {
    if (this.#crash !== undefined) return Promise.reject(this.#crash);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#attend();
      this.#say({ kind: "encode", id, text, tokens });
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#attend();
    this.#say({ kind: "close" });
    await this.ended;
  }

  /** Keeps the host program running only while the worker has work, and watches it then: a forgotten `close` hangs nothing. */
  #attend(): void {
    const hasWork = this.#closing || this.#waiting.size > 0;
    for (const handle of [this.#process, this.#process.channel]) {
      if (hasWork) handle?.ref();
      else handle?.unref();
    }
    this.#stopWatching();
    if (hasWork && this.#crash === undefined) this.#watch(this.#closing ? CLOSE_MS_MAX : SILENCE_MS_MAX);
  }

  /** Kills the process after this long without a message: no other signal reaches a stopped process. */
  #watch(ms: number): void {
    this.#stopWatching = afterRunning(ms, () => {
      this.#silence = { silentMs: ms };
      this.#process.kill("SIGKILL");
    });
  }

  #say(message: ToWorker): void {
    // The end of the process tells the caller that there is no answer.
    this.#process.send(message, () => undefined);
  }

  #settle(message: Extract<FromWorker, { kind: "vector" | "failed" }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    this.#attend();
    if (message.kind === "vector") waiting?.resolve(message);
    else waiting?.reject(new EmbedderError("EMBEDDER_FAILED", `A text could not be encoded: ${message.reason}.`));
  }

  #fail(crash: WorkerCrash): void {
    this.#crash = crash;
    for (const waiting of this.#waiting.values()) waiting.reject(crash);
    this.#waiting.clear();
  }
}

function unavailable(
  { part, reason }: Extract<FromWorker, { kind: "unavailable" }>,
  model: WorkerModel,
): EmbedderError {
  return part === "model" ? damaged(reason, model) : broken(reason);
}

function causeOf({ error, how = "no word", silentMs }: Ending): Error {
  if (silentMs !== undefined)
    return new Error(`The process said nothing for ${silentMs / 1_000} seconds and was ended.`);
  return error ?? new Error(`The process ended with ${how}.`);
}

/** Returns the host program's environment, without variables meant for the host alone. */
function workerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _ofTheHost, ...others } = process.env;
  return {
    ...others,
    // Within Electron, this starts a Node.js and not a window.
    ELECTRON_RUN_AS_NODE: "1",
    // Newer releases of the runtime than ours send telemetry unless this is set: for an operator who installs one.
    ORT_DISABLE_TELEMETRY: "1",
  };
}

/** Resolves with the way it ended when the process has ended and all of its messages were read. */
function whenEnded(worker: ChildProcess): Promise<Ending> {
  let ending: Ending = {};
  return new Promise((resolve) => {
    let open = 2;
    const end = (): void => {
      open -= 1;
      if (open === 0) resolve(ending);
    };
    worker.on("error", (error) => {
      ending = { error };
      // It was never started, and so does not end.
      if (worker.pid === undefined) resolve(ending);
    });
    worker.once("disconnect", end);
    worker.once("exit", (code, signal) => {
      ending = { ...ending, how: signal ?? `code ${code}` };
      end();
    });
  });
}
