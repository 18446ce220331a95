/** One node: a process of `loredex serve` on the database, which can be killed and started again. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const LOREDEX = fileURLToPath(new URL("../../packages/loredex/bin/loredex.js", import.meta.url));

export class Node {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #process;
  #store;

  /**
   * @param {string} name
   * @param {string} store address of the database
   */
  constructor(name, store) {
    this.name = name;
    this.#store = store;
    /** Where it serves, or has served last. Each start takes a free port. */
    this.url = "";
  }

  /** Resolves when it serves. */
  async start() {
    // The address has a password, so it is no argument: arguments are seen in the list of processes.
    const { LOREDEX_DATA: _, ...environment } = process.env;
    const env = { ...environment, LOREDEX_STORE: this.#store };
    const args = [LOREDEX, "serve", "--port", "0", "--json", "--embedders", "static", "--log-level", "silent"];
    const node = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    this.#process = node;
    const lines = createInterface({ input: node.stdout });
    const line = await Promise.race([once(lines, "line"), once(node, "exit").then(() => [])]);
    if (typeof line[0] !== "string") throw new Error(`${this.name} did not start.`);
    this.url = JSON.parse(line[0]).url;
  }

  /**
   * Ends the process and resolves when it is gone. `SIGKILL` ends it as a crash does: it can do nothing more.
   * @param {NodeJS.Signals} signal
   */
  async end(signal) {
    const node = this.#process;
    this.#process = undefined;
    if (node === undefined || node.exitCode !== null || node.signalCode !== null) return;
    const ended = once(node, "exit");
    node.kill(signal);
    await ended;
  }
}
