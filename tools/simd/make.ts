import { writeFileSync } from "node:fs";
import { KERNEL_MODULE, kernelModule } from "./assemble.ts";

writeFileSync(KERNEL_MODULE, await kernelModule());
