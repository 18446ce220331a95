import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/** Which processors a child may use, as `taskset` names them. */
export type Cores = string | undefined;

/**
 * The clients get the last processor for themselves and the server all others, so that what clients do is not taken for the server's. Where there is one
 * processor, or no `taskset`, they share what there is.
 */
export function dividedCores(): { readonly server: Cores; readonly clients: Cores } {
  const last = availableParallelism() - 1;
  const canDivide = last > 0 && spawnSync("taskset", ["-V"]).status === 0;
  if (!canDivide) return { server: undefined, clients: undefined };
  return { server: last === 1 ? "0" : `0-${last - 1}`, clients: `${last}` };
}

/** A program of this bench in a process of its own. It answers each message with one. */
export class Child<Message extends object> {
  readonly #process: ChildProcess;

  constructor(program: string, cores: Cores, args: readonly string[] = []) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const command = [process.execPath, ...process.execArgv, path, ...args];
    const [file = "", ...rest] = cores === undefined ? command : ["taskset", "-c", cores, ...command];
    this.#process = spawn(file, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "advanced" });
  }

  ask<Answer>(message: Message): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`a process of the bench ended with ${code}`));
      this.#process.once("exit", ended);
      this.#process.once("message", (answer) => {
        this.#process.off("exit", ended);
        // Boundary: the other side is a file beside this one, and answers as `messages.ts` says.
        resolve(answer as Answer);
      });
      this.#process.send(message);
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#process.exitCode !== null) resolve();
      this.#process.once("exit", () => resolve());
      this.#process.disconnect();
    });
  }
}

/** The child's side: what it does with each message, and what it answers. */
export function answerMessages<Message>(answer: (message: Message) => Promise<unknown>): void {
  process.on("message", (message) => {
    // Boundary: as above.
    void answer(message as Message).then((result) => process.send?.(result ?? {}));
  });
}
