import { spawnSync } from "node:child_process";
import { type OptionalPart, optionalPart } from "./optional-part.ts";

/**
 * A program that no package brings. Tests that need it say so in their names where it is missing, and one line tells of it, also in a run that expects
 * all parts: what a machine carries beside Node is not ours to ask for.
 */
export function machineProgram(name: string): OptionalPart {
  const { error } = spawnSync(name, ["--version"], { stdio: "ignore" });
  return optionalPart(`the program ${name}`, error === undefined ? undefined : `${name} is not on the path.`, {});
}
