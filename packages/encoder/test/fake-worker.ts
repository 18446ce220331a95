import { type EncoderWorker, WorkerCrash } from "../src/encoder-worker.ts";

/** A worker without a process: the test decides when and how each text ends. */
export class FakeWorker implements EncoderWorker {
  readonly ended: Promise<void>;
  /** Texts it was given, in order. */
  readonly given: string[] = [];
  closed = false;
  #end: () => void = () => undefined;
  #current: { resolve(vector: Float32Array): void; reject(error: Error): void } | undefined;

  constructor(readonly ready: Promise<void> = Promise.resolve()) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  encode(text: string): Promise<Float32Array> {
    this.given.push(text);
    return new Promise((resolve, reject) => {
      this.#current = { resolve, reject };
    });
  }

  /** Finishes the text at hand. */
  finish(): Promise<void> {
    this.#current?.resolve(Float32Array.of(this.given.at(-1)?.length ?? 0));
    return soon();
  }

  fail(error: Error): Promise<void> {
    this.#current?.reject(error);
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
