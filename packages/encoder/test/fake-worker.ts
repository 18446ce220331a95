import { type EncoderWorker, WorkerCrash } from "../src/encoder-worker.ts";
import type { LoadedModel } from "../src/messages.ts";
import type { EncodedText, TaskKind } from "../src/task.ts";

/** What a worker has loaded, if nothing else is said. */
export const EXAMPLE: LoadedModel = { id: "example", version: "1" };

/** A worker without a process: the test decides when and how each text ends. */
export class FakeWorker implements EncoderWorker {
  readonly ended: Promise<void>;
  /** Texts it was given, in order. */
  readonly given: string[] = [];
  /** What token codes it was asked for, text by text. */
  readonly asked: (TaskKind | undefined)[] = [];
  closed = false;
  #end: () => void = () => undefined;
  #current: { resolve(encoded: EncodedText): void; reject(error: Error): void } | undefined;

  constructor(readonly ready: Promise<LoadedModel> = Promise.resolve(EXAMPLE)) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  encode(text: string, tokens?: TaskKind): Promise<EncodedText> {
    this.given.push(text);
    this.asked.push(tokens);
    return new Promise((resolve, reject) => {
      this.#current = { resolve, reject };
    });
  }

  /** Whether it has a text in hand. */
  get isWorking(): boolean {
    return this.#current !== undefined;
  }

  /** Finishes the text at hand. */
  finish(more: Partial<EncodedText> = {}): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.resolve({ vector: Float32Array.of(this.given.at(-1)?.length ?? 0), ...more });
    return soon();
  }

  fail(error: Error): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.reject(error);
    return soon();
  }

  crash(): Promise<void> {
    this.#end();
    return this.fail(new WorkerCrash("crashed on purpose"));
  }

  async close(): Promise<void> {
    this.closed = true;
    this.#end();
  }
}

/** Lets everything that is due run. */
export function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
