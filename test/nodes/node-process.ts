import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { sourceProgram } from "../../packages/import/src/isolated/program.ts";
import type { Answer, Call, NodeSettings } from "./node-calls.ts";

const PROGRAM = sourceProgram(fileURLToPath(new URL("node-program.ts", import.meta.url)));

/** A process that can be killed, stopped and started again. Its address is another one after each start. */
export class NodeProcess {
  readonly #settings: NodeSettings;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #url = "";
  #complaint = "";
  #calls = 0;
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  constructor(settings: NodeSettings) {
    this.#settings = settings;
  }

  get url(): string {
    return this.#url;
  }

  /** What it wrote to standard error. */
  get complaint(): string {
    return this.#complaint;
  }

  /** Resolves when it listens. Rejects with what it wrote to standard error if it ends before. */
  async start(): Promise<void> {
    this.#complaint = "";
    const child = spawn(process.execPath, [...PROGRAM.execArgv, PROGRAM.path], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NODE_SETTINGS: JSON.stringify(this.#settings) },
    });
    this.#child = child;
    child.stderr.on("data", (data: Buffer) => {
      this.#complaint += data.toString();
    });
    child.stdin.on("error", () => undefined);
    const ended = new Promise<never>((_, reject) => {
      child.once("close", () => reject(new Error(`the node ended: ${this.#complaint}`)));
    });
    ended.catch(() => this.#giveUp());
    const listening = new Promise<Answer>((resolve) => this.#waiting.set(0, resolve));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer: Answer = JSON.parse(line);
      this.#waiting.get(answer.number)?.(answer);
      this.#waiting.delete(answer.number);
    });
    this.#url = (await Promise.race([listening, ended])).url ?? "";
  }

  /** Sends a call. Resolves with its answer; one that does not come before the node's end has an error. */
  call(is: Call["is"], bot = ""): Promise<Answer> {
    this.#calls += 1;
    const number = this.#calls;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(number, resolve));
    this.#child?.stdin.write(`${JSON.stringify({ number, is, bot })}\n`);
    return answered;
  }

  /** Resolves when the process is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => child.once("close", resolve).kill("SIGKILL"));
  }

  /** Stops it without its notice. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  continue(): void {
    this.#child?.kill("SIGCONT");
  }

  #giveUp(): void {
    for (const [number, resolve] of this.#waiting) resolve({ number, openBots: 0, error: "the node has ended" });
    this.#waiting.clear();
  }
}
