import { Agent, request } from "node:http";
import { answerMessages } from "./child.ts";
import type { AskingMessage, Outcome, Stream } from "./messages.ts";

/** The clients' process: asks a server in several streams at once until it is told to end, and then says what became of that. */

const TICK_MS = 5;
/** A client that was refused comes again after this. */
const AFTER_REFUSAL_MS = 50;

class Asking {
  readonly #stream: Stream;
  readonly #agent: Agent;
  readonly #startMs = performance.now();
  readonly #answers: (readonly [number, number])[] = [];
  #refused = 0;
  #failed = 0;
  #unsent = 0;
  #sent = 0;
  #outstanding = 0;
  #isOver = false;
  #whenIdle: (() => void) | undefined;
  #ticks: NodeJS.Timeout | undefined;
  #clients: Promise<unknown> = Promise.resolve();

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#agent = new Agent({ keepAlive: stream.connectsAnew !== true });
    const { pace } = stream;
    if (pace.kind === "closed") {
      const { clients, requestsMax = Number.POSITIVE_INFINITY } = pace;
      this.#clients = Promise.all(Array.from({ length: clients }, () => this.#client(requestsMax)));
    } else this.#ticks = setInterval(() => this.#sendDue(pace.perSecond, pace.connectionsMax), TICK_MS);
  }

  async finish(): Promise<Outcome> {
    await this.#clients;
    return this.end();
  }

  async end(): Promise<Outcome> {
    this.#isOver = true;
    clearInterval(this.#ticks);
    const seconds = (performance.now() - this.#startMs) / 1_000;
    const { name } = this.#stream;
    if (this.#outstanding > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    this.#agent.destroy();
    const answers = this.#answers;
    return { name, seconds, refused: this.#refused, failed: this.#failed, unsent: this.#unsent, answers };
  }

  async #client(requestsMax: number): Promise<void> {
    while (!this.#isOver && this.#sent < requestsMax) {
      const isAnswered = await this.#ask();
      if (!isAnswered) await new Promise((resolve) => setTimeout(resolve, AFTER_REFUSAL_MS));
    }
  }

  #sendDue(perSecond: number, connectionsMax: number): void {
    const due = Math.floor(((performance.now() - this.#startMs) / 1_000) * perSecond);
    while (this.#sent + this.#unsent < due) {
      if (this.#outstanding >= connectionsMax) this.#unsent++;
      else void this.#ask();
    }
  }

  /** Whether it was answered with 200. */
  #ask(): Promise<boolean> {
    const { port, method, paths, key, bodies } = this.#stream;
    const number = this.#sent++;
    this.#outstanding++;
    const body = bodies[number % bodies.length] ?? "";
    const headers = {
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(body === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const path = paths[number % paths.length] ?? "/";
    const startMs = performance.now();
    return new Promise((resolve) => {
      const done = (count: () => void, isAnswered: boolean): void => {
        // What is answered after the end tells nothing about the load that was meant.
        if (!this.#isOver) count();
        this.#outstanding--;
        if (this.#outstanding === 0) this.#whenIdle?.();
        resolve(isAnswered);
      };
      const failed = (): void => done(() => this.#failed++, false);
      let hasAnswer = false;
      const sent = request({ port, host: "127.0.0.1", method, path, agent: this.#agent, headers }, (response) => {
        hasAnswer = true;
        response.resume();
        response.once("close", () => {
          const { statusCode, complete } = response;
          if (!complete) failed();
          else if (statusCode === 200) {
            done(() => this.#answers.push([startMs - this.#startMs, performance.now() - startMs]), true);
          } else if (statusCode === 503 || statusCode === 429) done(() => this.#refused++, false);
          else failed();
        });
      });
      sent.on("error", () => {
        if (!hasAnswer) failed();
      });
      sent.end(body);
    });
  }
}

let all: readonly Asking[] = [];

answerMessages<AskingMessage>(async (message) => {
  if (message.tell === "begin") all = message.streams.map((stream) => new Asking(stream));
  else return Promise.all(all.map((asking) => (message.tell === "finish" ? asking.finish() : asking.end())));
});
