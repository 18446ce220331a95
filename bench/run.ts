import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { withBuiltPackages } from "./measuring/built.ts";

/** `npm run bench`: `main.ts` on the packages as they are published. */

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

process.exitCode = await withBuiltPackages(async (env) => {
  const program = spawn(process.execPath, ["--import", "tsx", MAIN, ...process.argv.slice(2)], {
    stdio: "inherit",
    env,
  });
  // What was built goes when the program has ended.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => program.kill(signal));
  const [code] = await once(program, "exit");
  return typeof code === "number" ? code : 1;
});
