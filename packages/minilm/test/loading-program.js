/** The program of a worker process, which makes the file that LOADING_MARK names as soon as it has begun to load its runtime. */
import { writeFileSync } from "node:fs";

await import("../src/worker.js");
writeFileSync(process.env.LOADING_MARK ?? "", "");
