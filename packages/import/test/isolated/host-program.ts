/** A program that has files converted: it says the number of the process that does so, or that it is done. */
import { fileURLToPath } from "node:url";
import { IsolatedConverter } from "../../src/isolated/convert-isolated.ts";
import { sourceProgram } from "../../src/isolated/program.ts";

const program = sourceProgram(fileURLToPath(new URL("./hostile-program.ts", import.meta.url)));
const converter = new IsolatedConverter({ program, ...(process.argv[2] === "limit" ? { secondsMax: 0.2 } : {}) });
const convert = (text: string) => converter.convert({ bytes: Buffer.from(text), name: "a.md", kind: "markdown" });

const pid = await convert("process").catch((error: unknown) => /\d+/.exec(String(error))?.[0]);
if (process.argv[2] === "loop") {
  const looping = convert("loop");
  // It is caught by now, or will be before it hears anything else.
  console.log(pid);
  await looping;
} else if (process.argv[2] === "limit") {
  // Nothing but the conversion keeps this program going.
  console.log(await convert("loop").catch((error: unknown) => String(error)));
} else console.log("done");
