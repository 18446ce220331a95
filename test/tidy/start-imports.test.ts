import { posix } from "node:path";
import { expect, it } from "vitest";
import { read } from "./source-files.ts";

/** Imports that are followed when a file is loaded: types are gone by then, and what `import()` names is loaded when it is needed. */
const LOADED = /^(?:import|export)\s+(?!type\s)(?:[^;]*?\sfrom\s+)?"([^"]+)"/gm;

/** Whatever is loaded with a file: files of the project, and the packages of others by name. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, imported = ""] of read(file).matchAll(LOADED)) {
    const [, own, room = "."] = /^@loredex\/(\w+)(?:\/(\w+))?$/.exec(imported) ?? [];
    if (own !== undefined) loadedWith(posix.join(`packages/${own}/src`, room, "index.ts"), seen);
    else if (imported.startsWith(".")) loadedWith(posix.join(posix.dirname(file), imported), seen);
    else seen.add(imported);
  }
  return seen;
}

/** What takes long to load, or is not there on every machine. */
const HEAVY = /^(?:pino|prom-client|@orama\/|onnxruntime|@huggingface\/|hnswlib)/;

it.each(["packages/loredex/src/cli.ts", "packages/loredex/src/index.ts", "packages/core/src/index.ts"])(
  "%s loads what understands texts only when it is needed",
  (file) => {
    const loaded = [...loadedWith(file)];
    expect(loaded).toContain("packages/core/src/engine.ts");
    expect(loaded.filter((name) => HEAVY.test(name))).toEqual([]);
  },
);

it("would be caught if it were loaded before", () => {
  expect([...loadedWith("packages/loredex/src/log/json-log.ts")].filter((name) => HEAVY.test(name))).toEqual(["pino"]);
});
