import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { count } from "../../../../test/support/counts.ts";

/** A client that says exactly the bytes it is told to. */
export class RawClient {
  readonly socket: Socket;
  /** As they came: put together at every one of them, many would take longer than the server that sends them. */
  readonly #pieces: string[] = [];
  #closed = false;
  readonly #waiting = new Set<() => void>();

  constructor(port: number) {
    count("connections with bytes of our own");
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => {
      this.socket.destroy();
    });
    const notify = () => {
      for (const wake of this.#waiting) wake();
    };
    this.socket.on("data", (chunk) => {
      this.#pieces.push(chunk.toString("latin1"));
      notify();
    });
    const close = () => {
      this.#closed = true;
      notify();
    };
    this.socket.on("end", close).on("close", close).on("error", close);
  }

  get received(): string {
    return this.#pieces.join("");
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Resolves with all that has come as soon as it holds `text` so many times. */
  async until(text: string, times = 1): Promise<string> {
    let [read, left, rest] = [0, times, ""];
    await this.#when(() => {
      for (; read < this.#pieces.length; read += 1) {
        const parts = (rest + this.#pieces[read]).split(text);
        left -= parts.length - 1;
        // A text may come in two pieces.
        const last = parts.at(-1) ?? "";
        rest = last.slice(Math.max(0, last.length - text.length + 1));
      }
      return left <= 0;
    });
    return this.received;
  }

  /** Resolves with all that has come when the server has ended the connection. */
  async ended(): Promise<string> {
    await this.#when(() => this.#closed);
    return this.received;
  }

  /** The status of each answer so far, in order. Bodies must not look like status lines. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  }

  #when(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** One request as it goes over the wire. `content-length` is added where there is a body. */
export function wire(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): string {
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: "test", ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
