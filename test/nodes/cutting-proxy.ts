/** A TCP proxy before a database that cuts connections at random moments, and at the moments that matter. */

import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What an append of records begins with, and what no other statement has. */
const APPEND = "with moved as (";
/** Longer than a node waits for an answer, in milliseconds. */
const TOO_LONG_MS = 2_500;

/** How often each kind of fault was made. */
export interface Faults {
  /** A connection was cut at a random moment. */
  random: number;
  /** An append was stored, and its answer lost with the connection. */
  lostAnswers: number;
  /** An append was stored, and its answer came too late: the node had given it up. */
  lateAnswers: number;
  /** An append reached the database after the node had given it up. */
  lateAppends: number;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export class CuttingProxy {
  readonly faults: Faults = { random: 0, lostAnswers: 0, lateAnswers: 0, lateAppends: 0 };
  /** The share of appends that a fault meets, 0 to 1. */
  share = 0;
  /** Where new connections lead. */
  target: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();

  private constructor(target: number) {
    this.target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  /** Opens a proxy before this port, which closes with the test. */
  static async open(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      proxy.cut();
      proxy.#server.close();
    });
    return proxy;
  }

  /** The address of a database with this proxy's port. */
  before(url: string): string {
    const address = new URL(url);
    const own = this.#server.address();
    address.port = `${typeof own === "object" ? own?.port : ""}`;
    return address.href;
  }

  /** Cuts some connection. */
  cutOne(): void {
    const pairs = [...this.#pairs];
    const pair = pairs[Math.floor(Math.random() * pairs.length)];
    if (pair === undefined) return;
    this.faults.random += 1;
    end(pair);
  }

  /** Cuts all connections. */
  cut(): void {
    for (const pair of this.#pairs) end(pair);
  }

  #join(client: Socket): void {
    const server = connect(this.target, "127.0.0.1");
    const pair = { client, server };
    this.#pairs.add(pair);
    let fault: keyof Faults | undefined;
    client.on("data", (data) => {
      if (fault !== undefined) return;
      fault = this.#faultFor(data);
      if (fault !== "lateAppends") return void server.write(data);
      this.faults.lateAppends += 1;
      setTimeout(() => {
        server.write(data);
        // The connection ends when the database has answered.
        server.once("data", () => end(pair));
      }, TOO_LONG_MS);
    });
    server.on("data", (data) => {
      if (fault === "lostAnswers") {
        this.faults.lostAnswers += 1;
        end(pair);
      } else if (fault === "lateAnswers") {
        this.faults.lateAnswers += 1;
        setTimeout(() => end(pair), TOO_LONG_MS);
      } else if (fault === undefined) client.write(data);
    });
    for (const socket of [client, server]) socket.on("error", () => undefined);
    server.on("close", () => {
      this.#pairs.delete(pair);
      client.destroy();
    });
    client.on("close", () => {
      if (fault !== "lateAppends") server.destroy();
    });
  }

  #faultFor(data: Buffer): keyof Faults | undefined {
    if (this.share === 0 || !data.includes(APPEND) || Math.random() >= this.share) return undefined;
    const chance = Math.random();
    if (chance < 0.8) return "lostAnswers";
    return chance < 0.9 ? "lateAnswers" : "lateAppends";
  }
}

/** Ends both sides. The client is told as a crash of the other machine tells it. */
function end({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.destroy();
}
