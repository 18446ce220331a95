import { setTimeout as pause } from "node:timers/promises";
import type { BotLimits, Service } from "../../../test/http/service.ts";
import { LoredexClient, type LoredexClientOptions, type LoredexError, type Pace } from "../src/index.ts";

/** Time that passes at once: for the client when it waits, and with it for the service. */
export class TestPace implements Pace {
  /** How long was waited each time, in milliseconds. */
  readonly waits: number[] = [];
  readonly #pass: (ms: number) => void;
  readonly #due = new Set<{ readonly atMs: number; readonly late: () => void }>();
  #nowMs = 0;
  constructor(pass: (ms: number) => void = () => {}) {
    this.#pass = pass;
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.pass(ms);
    // Somebody else may do what is waited for.
    await pause(1);
  }
  after(ms: number, late: () => void): () => void {
    const due = { atMs: this.#nowMs + ms, late };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }
  nowMs(): number {
    return this.#nowMs;
  }
  /** So much time passes. */
  pass(ms: number): void {
    this.#nowMs += ms;
    this.#pass(ms);
    for (const due of this.#due) {
      if (due.atMs > this.#nowMs) continue;
      this.#due.delete(due);
      due.late();
    }
  }
  random(): number {
    return 0.5;
  }
}

/** A client of a new bot of a service, whose waits move the service's clock. */
export async function clientOf(service: Service, limits: BotLimits = {}, more: Partial<LoredexClientOptions> = {}) {
  const bot = await service.bot(limits);
  const pace = new TestPace((ms) => service.clock.advance(ms));
  const client = new LoredexClient({ baseUrl: service.url, key: bot.key, pace, ...more });
  return { client, bot, pace };
}

type Step = Response | Error | ((request: Request) => Response | Promise<Response>);

/** A client of something that answers so, one after the other. */
export function scripted(steps: readonly Step[], more: Partial<LoredexClientOptions> = {}) {
  const requests: Request[] = [];
  const pace = new TestPace();
  const waited: [number, LoredexError][] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const step = steps[requests.length];
    requests.push(request);
    if (step === undefined) throw new Error("asked too often");
    if (step instanceof Error) throw step;
    return typeof step === "function" ? step(request) : step.clone();
  };
  const onWait = (seconds: number, error: LoredexError) => waited.push([seconds, error]);
  const client = new LoredexClient({ baseUrl: "http://a.test", key: "k", fetch, pace, onWait, ...more });
  return { client, requests, pace, waited };
}

export async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("it should have thrown");
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
