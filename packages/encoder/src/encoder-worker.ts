import { type ChildProcess, fork } from "node:child_process";
import { EmbedderError } from "@loredex/core";
import type { EncoderModel } from "./encoder-model.ts";
import type { FromWorker, LoadedModel, ToWorker } from "./messages.ts";
import { afterRunning } from "./patience.ts";
import { broken, damaged } from "./runtime-check.ts";
import { type Ending, startProblem } from "./start-problem.ts";
import type { EncodedText, TaskKind } from "./task.ts";

/** A start takes some seconds at most, a text a fraction of one: a process that says nothing for this long is frozen. */
const SILENCE_MS_MAX = 60_000;
/** Nobody wants what a process still has when it is closed; a server that is stopped has few seconds for all. */
const CLOSE_MS_MAX = 2_000;

/** The worker ended while it had work. What it was given may be given to another. */
export class WorkerCrash extends Error {
  override readonly name = "WorkerCrash";
}

/**
 * One process that encodes one text at a time. It is none of the host program's threads, as the runtime allows one in a process: loaded by a second, or again
 * by a later one, it fails or destroys memory. What befalls it in native code ends this process alone.
 */
export interface EncoderWorker {
  /** Resolves with the model that it has loaded. Rejects with `EMBEDDER_UNAVAILABLE` where the model cannot be loaded, or the process ended or was frozen for a minute. */
  readonly ready: Promise<LoadedModel>;
  /** With the token codes if they are asked for. Rejects with `EMBEDDER_FAILED` if this text cannot be encoded, with {@link WorkerCrash} if the process ended or was frozen for a minute. */
  encode(text: string, tokens?: TaskKind): Promise<EncodedText>;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Lets it finish what runs, for 2 seconds at most. Resolves when the process has ended. What it still had is rejected. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(encoded: EncodedText): void;
  reject(error: Error): void;
}

/** What a process needs of its model. */
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
      // What the host program was started with (loaders, inspectors) is not for this one.
      execArgv: [],
      env: workerEnvironment(),
      // Vectors go as they are.
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

  /** A worker with nothing to do does not keep the host program running: a forgotten `close` hangs nothing. One that has is watched. */
  #attend(): void {
    const hasWork = this.#closing || this.#waiting.size > 0;
    for (const handle of [this.#process, this.#process.channel]) {
      if (hasWork) handle?.ref();
      else handle?.unref();
    }
    this.#stopWatching();
    if (hasWork && this.#crash === undefined) this.#watch(this.#closing ? CLOSE_MS_MAX : SILENCE_MS_MAX);
  }

  /** Ends the process if nothing is heard of it for so long: no other signal reaches one that is stopped. */
  #watch(ms: number): void {
    this.#stopWatching = afterRunning(ms, () => {
      this.#silence = { silentMs: ms };
      this.#process.kill("SIGKILL");
    });
  }

  #say(message: ToWorker): void {
    // Whoever waits for an answer learns from the end of the process that there is none.
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

/** The host program's, but for what is meant for that one alone. */
function workerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _ofTheHost, ...others } = process.env;
  return {
    ...others,
    // In a program of Electron: a Node.js, not a window.
    ELECTRON_RUN_AS_NODE: "1",
    // Newer releases of the runtime than ours send telemetry unless this is set: for whoever puts one in its place.
    ORT_DISABLE_TELEMETRY: "1",
  };
}

/** Resolves with how, when the process has ended and all that it said was heard. */
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
