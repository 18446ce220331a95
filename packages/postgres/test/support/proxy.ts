/** A proxy between the storage and its server, which sees each statement and fails on request. */

import { connect, createServer, type Socket } from "node:net";

/**
 * What happens to a statement: it passes · `before`: the connection is cut before the server gets it · `after`: it is cut when the server has executed it, and the
 * answer is lost · `never`: it gets no answer.
 */
export type Fate = "passes" | "before" | "after" | "never";

/** A message of the client: its kind is one letter, and empty for the first of a connection. */
export interface ClientMessage {
  readonly kind: string;
  readonly bytes: Buffer;
}

export class TcpProxy {
  /** Texts of all statements that passed, in order. */
  readonly statements: string[] = [];
  /** Names of prepared statements. */
  readonly names = new Set<string>();
  /** Keys of the settings that connections begin with. */
  readonly settings = new Set<string>();
  connections = 0;
  /** Decides on each statement. */
  fateOf: (statement: string) => Fate = () => "passes";
  /** Whether connections are refused: they are ended at once. */
  isRefusing = false;
  /** A setting that connections are refused for, as PgBouncer refuses those that it does not know. */
  refusedSetting: string | undefined;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#serve(client));

  /** @param port where the server listens */
  constructor(port: number) {
    this.#port = port;
  }

  async listen(): Promise<number> {
    await new Promise<void>((settle) => this.#server.listen(0, "127.0.0.1", settle));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((settle) => this.#server.close(settle));
  }

  #serve(client: Socket): void {
    this.connections += 1;
    if (this.isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(this.#port, "127.0.0.1");
    const both = [client, server];
    let fate: Fate = "passes";
    let rest: Buffer = Buffer.alloc(0);
    for (const [here, there] of [both, both.toReversed()]) {
      if (here === undefined || there === undefined) continue;
      this.#sockets.add(here);
      here.setNoDelay();
      here.on("error", () => undefined);
      here.on("close", () => {
        this.#sockets.delete(here);
        there.destroy();
      });
    }
    let isFirst = true;
    client.on("data", (bytes) => {
      const { messages, left } = split(Buffer.concat([rest, bytes]), isFirst);
      if (messages.length > 0) isFirst = false;
      rest = left;
      for (const message of messages) {
        if (message.kind === "" && this.#isRefused(message.bytes)) {
          client.end(refusal(`unsupported startup parameter: ${this.refusedSetting}`));
          return;
        }
        const statement = statementOf(message);
        if (statement !== undefined) {
          if (message.kind === "P") this.names.add(nameOf(message));
          fate = this.fateOf(statement);
          if (fate === "before") {
            client.destroy();
            return;
          }
          this.statements.push(statement);
        }
        server.write(message.bytes);
      }
    });
    server.on("data", (bytes) => {
      if (fate === "after") client.destroy();
      else if (fate !== "never") client.write(bytes);
    });
  }

  #isRefused(startup: Buffer): boolean {
    const [...words] = startup.subarray(8).toString().split("\0");
    for (let i = 0; i + 1 < words.length; i += 2) this.settings.add(words[i] ?? "");
    return (
      this.refusedSetting !== undefined && this.settings.has(this.refusedSetting) && words.includes(this.refusedSetting)
    );
  }
}

/** Cuts a stream into messages. */
function split(bytes: Buffer, isFirst: boolean): { readonly messages: ClientMessage[]; readonly left: Buffer } {
  const messages: ClientMessage[] = [];
  let at = 0;
  for (let isStartup = isFirst; ; isStartup = false) {
    const header = isStartup ? 0 : 1;
    if (bytes.length - at < header + 4) break;
    const length = header + bytes.readInt32BE(at + header);
    if (bytes.length - at < length) break;
    const kind = isStartup ? "" : String.fromCharCode(bytes[at] ?? 0);
    messages.push({ kind, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return { messages, left: bytes.subarray(at) };
}

function nameOf({ bytes }: ClientMessage): string {
  return bytes.subarray(5, bytes.indexOf(0, 5)).toString();
}

/** The text of a statement: of the simple protocol, or of the extended one, where it follows its name. */
function statementOf(message: ClientMessage): string | undefined {
  const { kind, bytes } = message;
  if (kind !== "Q" && kind !== "P") return undefined;
  const from = kind === "Q" ? 5 : bytes.indexOf(0, 5) + 1;
  return bytes.subarray(from, bytes.indexOf(0, from)).toString();
}

/** An error of the server that ends a connection. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const header = Buffer.from([0x45, 0, 0, 0, 0]);
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
}
