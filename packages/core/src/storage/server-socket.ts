/**
 * The socket at which a running server takes commands of its operator. It shows that a data directory is in use, even if its lock file was deleted.
 */

import { readFile, stat } from "node:fs/promises";
import { createConnection } from "node:net";
import { resolve } from "node:path";
import { A_TEXT } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";

/** The socket's name in the data directory, if its path is short enough for a socket. */
export const SERVER_SOCKET = "loredex.sock";
/** Otherwise the name of a file in the data directory that holds the path of the socket. */
export const SERVER_SOCKET_POINTER = "loredex.sock-path";

/** The socket of a directory's server, running or dead; undefined if there is none. */
export async function findServerSocket(directory: string): Promise<string | undefined> {
  requireArguments("findServerSocket", { directory }, { directory: A_TEXT });
  const near = `${resolve(directory)}/${SERVER_SOCKET}`;
  if (await isSocket(near)) return near;
  const pointed = await readFile(`${directory}/${SERVER_SOCKET_POINTER}`, "utf8").catch(() => undefined);
  return pointed !== undefined && (await isSocket(pointed)) ? pointed : undefined;
}

/** The socket of a server that runs on a directory now; undefined if none accepts connections. The socket of a dead server accepts none. */
export async function answeringSocket(directory: string): Promise<string | undefined> {
  const path = await findServerSocket(directory);
  return path !== undefined && (await takesConnections(path)) ? path : undefined;
}

/** Probes a socket. The system answers at once, even if the server is busy. */
function takesConnections(path: string): Promise<boolean> {
  return new Promise((done) => {
    const connection = createConnection(path);
    const settle = (answers: boolean): void => {
      connection.destroy();
      done(answers);
    };
    connection.once("connect", () => settle(true));
    // A full queue means that a server listens.
    connection.once("error", (error: NodeJS.ErrnoException) => settle(error.code === "EAGAIN"));
  });
}

async function isSocket(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
}
