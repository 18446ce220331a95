import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isStreamed } from "./request-body.ts";

/** The number of requests in line above which nothing more is read from a connection, and the number below which reading continues. */
const LINE_LENGTH_HIGH = 32;
const LINE_LENGTH_LOW = 8;
/** The time that a client has to read why it was refused, in milliseconds. */
const REFUSAL_MS = 1_000;

interface Job {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly run: () => void;
}

/**
 * The connection of one client. A client may send requests without waiting for answers, and node:http delivers them all at once.
 * So they wait in line here: each begins when the previous answer is done. Otherwise an update could overtake the create before it.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #onIdle: () => void;
  #requestsLeft: number;
  #sinceMs = performance.now();
  #running: Job | undefined;
  #line: Job[] = [];
  #isPauseAwaited = false;
  #refusal: string | undefined;

  /**
   * @param requestsMax the answer to the last of them ends the connection
   * @param onIdle called whenever the last request in line has been answered
   */
  constructor(socket: Socket, requestsMax: number, onIdle: () => void) {
    this.#socket = socket;
    this.#requestsLeft = requestsMax;
    this.#onIdle = onIdle;
    socket.once("close", () => {
      this.#line = [];
    });
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Whether its request has not fully arrived yet. */
  get isReceiving(): boolean {
    return this.#running?.request.complete === false;
  }

  /** Whether the body of its request is streamed, which may take longer than other requests. */
  get isStreaming(): boolean {
    return this.#running !== undefined && isStreamed(this.#running.request);
  }

  /** When it connected, began its request or answered the previous one, in milliseconds. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Runs the job when the previous ones are done. A job is done when its response closes. */
  enqueue(job: Job): void {
    if (this.#refusal !== undefined) return;
    if (this.#running === undefined) {
      this.#start(job);
      return;
    }
    this.#line.push(job);
    if (this.#line.length > LINE_LENGTH_HIGH) this.#pauseSoon();
  }

  /** Refuses unreadable input, after the answers to all requests before it, and ends the connection. False if it was refused before. */
  refuse(answer: string): boolean {
    if (this.#refusal !== undefined) return false;
    this.#refusal = answer;
    // A request whose body broke off is itself the refused one: it is never begun.
    this.#line = this.#line.filter((job) => job.request.complete);
    if (this.#running === undefined) this.#writeRefusal(answer);
    else if (!this.#running.request.complete) this.#interrupt(this.#running, answer);
    return true;
  }

  /** Pauses the socket in the next round. node:http resumes it after each request that it has read, so a pause only holds when all are read. */
  #pauseSoon(): void {
    if (this.#isPauseAwaited) return;
    this.#isPauseAwaited = true;
    setImmediate(() => {
      this.#isPauseAwaited = false;
      if (this.#line.length > LINE_LENGTH_HIGH) this.#socket.pause();
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #start(job: Job): void {
    this.#running = job;
    this.#sinceMs = performance.now();
    this.#requestsLeft--;
    if (this.#requestsLeft <= 0) job.response.shouldKeepAlive = false;
    job.response.once("close", () => this.#finish(job));
    job.run();
  }

  #finish({ response }: Job): void {
    this.#running = undefined;
    this.#sinceMs = performance.now();
    // After an answer that ends the connection nothing more may be done: the client could never learn of it.
    if (!response.shouldKeepAlive) this.#line = [];
    else this.#next();
  }

  #next(): void {
    const job = this.#line.shift();
    if (this.#line.length < LINE_LENGTH_LOW && this.#socket.isPaused()) this.#socket.resume();
    if (job !== undefined) this.#start(job);
    else if (this.#refusal !== undefined) this.#writeRefusal(this.#refusal);
    else this.#onIdle();
  }

  #interrupt(job: Job, answer: string): void {
    if (job.response.headersSent) this.#socket.destroy();
    else this.#writeRefusal(answer);
  }

  #writeRefusal(answer: string): void {
    if (!this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    this.#socket.end(answer);
    // The client may still be sending. Reading for a moment more lets it see the answer instead of a reset.
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), REFUSAL_MS);
    this.#socket.once("close", () => clearTimeout(timer));
  }
}
