import { fileURLToPath } from "node:url";
import { buildIfNeeded } from "../examples/first-start/build.mjs";
import { runProject } from "./run-project.mjs";

/** `npm run test:slow [-- --short] [vitest's own arguments]`: the slow proofs, in full or in the short form that CI runs. */
const given = process.argv.slice(2);
// Of the short form two files run at once, and more than one installs the packages: none of them finds a build under way.
if (given.includes("--short")) buildIfNeeded(fileURLToPath(new URL("..", import.meta.url)));
process.exitCode = runProject("slow", given);
