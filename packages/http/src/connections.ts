import type { Socket } from "node:net";
import { Connection } from "./connection.ts";

export interface ConnectionLimits {
  /** Most that are open at once. */
  readonly connectionsMax: number;
  /** After this number of requests a connection ends with the answer to the last. */
  readonly connectionRequestsMax: number;
}

/** The connections of one server that are open, those among them whose TLS is still being agreed on. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onIdle: (socket: Socket) => void;
  readonly #open = new Map<unknown, Connection>();
  /** Sockets without the TLS around them, by whom they come from. */
  readonly #agreeing = new Map<string, Socket>();

  /** `onIdle` is told of each socket whose last request in line has been answered. */
  constructor(limits: ConnectionLimits, onIdle: (socket: Socket) => void) {
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  of(socket: unknown): Connection | undefined {
    return this.#open.get(socket);
  }

  /** Accepts a connection, or closes it if there are too many. */
  admit(socket: Socket): void {
    if (this.#open.size >= this.#limits.connectionsMax && !this.#closeOne()) {
      socket.destroy();
      return;
    }
    this.#add(socket);
  }

  /** As {@link admit}, of a connection that TLS is to be spoken on. */
  admitForTls(socket: Socket): void {
    this.admit(socket);
    if (socket.destroyed) return;
    const peer = peerOf(socket);
    this.#agreeing.set(peer, socket);
    socket.once("close", () => {
      if (this.#agreeing.get(peer) === socket) this.#agreeing.delete(peer);
    });
  }

  /** TLS was agreed on: requests come over `secure` from now on, which takes the place of what it lies around. */
  secured(secure: Socket): void {
    const peer = peerOf(secure);
    const socket = this.#agreeing.get(peer);
    if (socket === undefined || !this.#open.delete(socket)) {
      secure.destroy();
      return;
    }
    this.#agreeing.delete(peer);
    this.#add(secure);
  }

  destroy(which: "idle" | "all"): void {
    for (const connection of this.#open.values()) {
      if (which === "all" || connection.isIdle) connection.destroy();
    }
  }

  #add(socket: Socket): void {
    const { connectionRequestsMax } = this.#limits;
    this.#open.set(socket, new Connection(socket, connectionRequestsMax, () => this.#onIdle(socket)));
    socket.once("close", () => this.#open.delete(socket));
  }

  /** Closes the connection that has had nothing to do for longest, or else the one whose request has been on its way for longest. False if all are answered. */
  #closeOne(): boolean {
    let [idle, receiving]: (readonly [unknown, Connection])[] = [];
    for (const each of this.#open) {
      const { isIdle, isReceiving, sinceMs } = each[1];
      if (isIdle && sinceMs < (idle?.[1].sinceMs ?? Number.POSITIVE_INFINITY)) idle = each;
      if (isReceiving && sinceMs < (receiving?.[1].sinceMs ?? Number.POSITIVE_INFINITY)) receiving = each;
    }
    const [socket, connection] = idle ?? receiving ?? [];
    connection?.destroy();
    return this.#open.delete(socket);
  }
}

/** One at a time has these four: from one port a client may be connected to several addresses of this machine. */
function peerOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
