import { lstat, stat, unlink } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { dirname, resolve } from "node:path";
import { kinds, requireArguments, SOCKET_PATH_BYTES_MAX, systemReason } from "@loredex/core";

/** A socket in the file system, for programs of this machine. */
export interface SocketListenOptions {
  /** Its absolute path, at most 100 bytes. */
  readonly socket: string;
  /** The permissions of the socket: users who may write to it may connect. Default 0o660, its user and its group. */
  readonly mode?: number;
}

export const A_MODE: kinds.Kind<number> = kinds.kind<number>(
  "integer",
  "from 0 to 0o777",
  (given) => typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= 0o777,
);

/** An error for a socket on which the server cannot listen. Its message says why and what to do. */
export class SocketError extends Error {
  override readonly name = "SocketError";
}

const SOCKET_MODE_DEFAULT = 0o660;

/** Listens on a socket, and removes it when the server closes. Rejects with SocketError. */
export async function listenOnSocket(server: Server, options: SocketListenOptions): Promise<void> {
  const { mode = SOCKET_MODE_DEFAULT } = options;
  const path = resolve(options.socket);
  await clearSocketPlace(path);
  await bind(server, path, mode).catch((cause: unknown) => {
    throw new SocketError(`The socket ${path} cannot be made: ${systemReason(cause)}.`, { cause });
  });
}

/** Checks that a server can listen on a path, and removes a socket that a dead server left behind. Rejects with SocketError. */
export async function clearSocketPlace(given: string): Promise<void> {
  requireArguments("clearSocketPlace", { given }, { given: kinds.A_TEXT });
  const path = resolve(given);
  const bytes = Buffer.byteLength(path);
  if (bytes > SOCKET_PATH_BYTES_MAX) {
    const most = `the path of a socket may have ${SOCKET_PATH_BYTES_MAX}`;
    throw new SocketError(
      `The socket ${path} cannot be made: its path has ${bytes} bytes, and ${most}. Choose a shorter one.`,
    );
  }
  // For a missing folder the system would report a missing permission.
  await stat(dirname(path)).catch((cause: unknown) => {
    throw new SocketError(
      `The socket ${path} cannot be made: of its folder the system says that ${systemReason(cause)}.`,
      {
        cause,
      },
    );
  });
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new SocketError(`${path} is there and is no socket. Nothing was removed; choose another path, or remove it.`);
  }
  const state = await stateOf(path);
  if (state === "listening")
    throw new SocketError(`Another program listens on ${path}. Stop it, or choose another path.`);
  if (state === "unknown") {
    throw new SocketError(
      `${path} is there, and this user cannot ask whether a program listens on it. Remove it if none does.`,
    );
  }
  await unlink(path).catch((cause: unknown) => {
    throw new SocketError(`${path} was left behind and cannot be removed: ${systemReason(cause)}.`, { cause });
  });
}

/** Whether a server listens on the socket. The system refuses a connection to a socket without one. */
function stateOf(path: string): Promise<"listening" | "left" | "unknown"> {
  return new Promise((settle) => {
    const asked = connect(path);
    asked.once("connect", () => {
      asked.destroy();
      settle("listening");
    });
    asked.once("error", (error: NodeJS.ErrnoException) => settle(error.code === "ECONNREFUSED" ? "left" : "unknown"));
  });
}

function bind(server: Server, path: string, mode: number): Promise<void> {
  return new Promise((settle, reject) => {
    server.once("error", reject);
    // The socket is bound within the call, so it has its mode from the beginning.
    const before = process.umask(0o777 & ~mode);
    try {
      server.listen(path, () => {
        server.off("error", reject);
        settle();
      });
    } finally {
      process.umask(before);
    }
  });
}
