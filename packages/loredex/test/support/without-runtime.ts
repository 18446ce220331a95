import Module from "node:module";
import { onTestFinished } from "vitest";

const RESOLVE = "_resolveFilename";

/** Until the end of the test, the library that runs the English encoder is not installed as far as this process can see. */
export function withoutRuntime(): void {
  const resolve: unknown = Reflect.get(Module, RESOLVE);
  if (typeof resolve !== "function") throw new Error("Node finds modules in another way now.");
  Reflect.set(Module, RESOLVE, (name: string, ...rest: unknown[]): unknown => {
    if (name === "onnxruntime-node") throw new Error(`Cannot find module '${name}'`);
    return Reflect.apply(resolve, Module, [name, ...rest]);
  });
  onTestFinished(() => void Reflect.set(Module, RESOLVE, resolve));
}
