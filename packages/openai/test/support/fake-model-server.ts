import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { FakeEmbedder } from "../../../core/test/support/fake-embedder.ts";

/** A request as it arrived. */
export interface Arrived {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly input: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

export type Behaviour =
  /** Vectors, as asked for. */
  | "good"
  /** The connection is cut without an answer. */
  | "cut"
  /** The answer is cut in the middle. */
  | "half"
  /** Nothing comes. */
  | "silent"
  /** Another answer than vectors. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Vectors, after they were tampered with. */
  | { readonly tamper: (data: Entry[]) => unknown };

export interface Entry {
  index?: unknown;
  embedding: unknown;
}

/** A model server on a real socket that understands what {@link FakeEmbedder} does, and fails as it is told to. */
export class FakeModelServer {
  readonly arrived: Arrived[] = [];
  /** What becomes of a request; by default it is good. */
  behave: (asked: Arrived, number: number) => Behaviour = () => "good";
  readonly #fake: FakeEmbedder;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(dimensions: number) {
    this.#fake = new FakeEmbedder({ dimensions });
  }

  static async start({ dimensions = 64 } = {}): Promise<FakeModelServer> {
    const server = new FakeModelServer(dimensions);
    await server.resume();
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** The most requests that were with it at the same time. */
  mostAtOnce = 0;
  #now = 0;

  /** As if the process were killed: the port is closed and every connection cut. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** On the same port again. */
  async resume(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      this.#now += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#now);
      response.on("close", () => {
        this.#now -= 1;
      });
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (request.method !== "POST") {
          response.writeHead(405).end();
          return;
        }
        const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        const input = Array.isArray(body.input) ? body.input.map(String) : [];
        const asked = { url: request.url ?? "", headers: request.headers, input, body };
        this.arrived.push(asked);
        this.#answer(asked, this.behave(asked, this.arrived.length), response);
      });
    });
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  #answer({ input }: Arrived, behaviour: Behaviour, response: ServerResponse): void {
    if (behaviour === "silent") return;
    if (behaviour === "cut") {
      response.socket?.destroy();
      return;
    }
    if (typeof behaviour === "object" && "status" in behaviour) {
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? "");
      return;
    }
    const data: Entry[] = input.map((text, index) => ({
      object: "embedding",
      index,
      // Not of unit length: servers need not care for that.
      embedding: [...this.#fake.vectorOf(text)].map((component) => component * 3),
    }));
    const answer = JSON.stringify(
      typeof behaviour === "object" ? behaviour.tamper(data) : { object: "list", data, model: "fake" },
    );
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    if (behaviour !== "half") {
      response.end(answer);
      return;
    }
    response.write(answer.slice(0, answer.length >> 1), () => response.socket?.destroy());
  }
}
