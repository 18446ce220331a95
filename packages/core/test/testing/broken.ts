/** Implementations of ports of which something is broken, and the cases of a contract that find it. */

import { succeeds } from "../../src/platform/succeeds.ts";
import type { ContractCase } from "../../testing/index.ts";

/** An object with some other methods. All others run on the object itself. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  const get = (_: T, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name);
    return typeof value === "function" ? value.bind(target) : value;
  };
  return new Proxy(target, { get });
}

/** The first case that an implementation does not pass; undefined if it passes all. */
export async function firstFailed(cases: readonly ContractCase[]): Promise<string | undefined> {
  for (const { name, run } of cases) if (!(await succeeds(run()))) return name;
  return undefined;
}
