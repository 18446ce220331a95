import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Which core a process of a bench runs on, where the system lets that be said. */

const TASKSET = "/usr/bin/taskset";
const CAN_CHOOSE = existsSync(TASKSET) && availableParallelism() > 1;

/** A command, changed so that it and what it starts run on this core alone. */
export function onCore(core: number, command: readonly string[]): readonly string[] {
  return CAN_CHOOSE ? [TASKSET, "-c", String(core), ...command] : command;
}

/** Moves the processes that this one has started to this core. */
export function moveChildrenTo(core: number): void {
  if (!CAN_CHOOSE) return;
  for (const thread of readdirSync("/proc/self/task")) {
    const children = readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Number);
    for (const child of children) execFileSync(TASKSET, ["-a", "-c", "-p", String(core), child], { stdio: "ignore" });
  }
}
