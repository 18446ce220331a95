/** A load balancer in one file: each request goes to the next node, and to another one if that node is gone. */

import { createServer, request as send } from "node:http";

/** As the server's own maximum (`--body-max`). */
const BODY_BYTES_MAX = 1_048_576;

/**
 * @typedef {object} Outcome
 * @property {boolean} isSent whether the node may have got the request
 * @property {import("node:http").IncomingMessage} [answer]
 */

/**
 * Serves on a free port of this machine.
 * @param {() => readonly string[]} nodes addresses of the nodes, such as `http://127.0.0.1:8080`
 * @returns {Promise<{ url: string, requests: () => ReadonlyMap<string, number>, close: () => Promise<void> }>} `requests` counts the answers of each node
 */
export async function startProxy(nodes) {
  let turn = 0;
  /** @type {Map<string, number>} */
  const requests = new Map();
  const server = createServer((request, response) => void answer(request, response));

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async function answer(request, response) {
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) {
      response.destroy();
      return;
    }
    const all = nodes();
    turn += 1;
    for (let tried = 0; tried < all.length; tried += 1) {
      const node = all[(turn + tried) % all.length] ?? "";
      const { isSent, answer } = await outcomeOf(node, request, body);
      if (answer !== undefined) {
        requests.set(node, (requests.get(node) ?? 0) + 1);
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.on("error", () => response.destroy()).pipe(response);
        return;
      }
      // Its effect is unknown. The client knows whether it may be sent twice.
      if (isSent) {
        response.destroy();
        return;
      }
    }
    response.writeHead(503, { "retry-after": "1" }).end();
  }

  await new Promise((settle) => server.listen(0, "127.0.0.1", () => settle(undefined)));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    },
  };
}

/** @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error("The body is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @param {string} node
 * @param {import("node:http").IncomingMessage} request
 * @param {Buffer} body
 * @returns {Promise<Outcome>}
 */
function outcomeOf(node, { method, url, rawHeaders }, body) {
  return new Promise((settle) => {
    let isSent = false;
    const sending = send(new URL(url ?? "/", node), { method, headers: rawHeaders, agent: false });
    sending.on("socket", (socket) => {
      socket.on("connect", () => {
        isSent = true;
      });
    });
    sending.on("response", (answer) => settle({ isSent: true, answer }));
    sending.on("error", () => settle({ isSent }));
    sending.end(body);
  });
}
