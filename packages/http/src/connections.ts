import type { Socket } from "node:net";
import { Connection } from "./connection.ts";

export interface ConnectionLimits {
  /** The most open connections. */
  readonly connectionsMax: number;
  /** After this number of requests a connection ends with the answer to the last. */
  readonly connectionRequestsMax: number;
}

/** The open connections of one server, including those whose TLS handshake is still running. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onIdle: (socket: Socket) => void;
  readonly #open = new Map<unknown, Connection>();
  /** The sockets whose TLS handshake is running, by their peers. */
  readonly #agreeing = new Map<string, Socket>();

  /** @param onIdle called with each socket whose last request in line has been answered */
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

  /** As {@link admit}, for a connection that will use TLS. */
  admitForTls(socket: Socket): void {
    this.admit(socket);
    if (socket.destroyed) return;
    const peer = peerOf(socket);
    this.#agreeing.set(peer, socket);
    socket.once("close", () => {
      if (this.#agreeing.get(peer) === socket) this.#agreeing.delete(peer);
    });
  }

  /** Notes that the TLS handshake is done. Requests come over `secure` from now on, which replaces the socket below it. */
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

  /** Closes the connection that has been idle for longest, or else the one whose request has been arriving for longest. False if all are being answered. */
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

/** The key of a connection. It needs all four values: from one port a client may be connected to several addresses of this machine. */
function peerOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
