import { writeFileSync } from "node:fs";
import { kernelModule, ROWS_KERNEL, SCAN_KERNEL, TURN_KERNEL } from "./assemble.ts";

for (const kernel of [SCAN_KERNEL, ROWS_KERNEL, TURN_KERNEL]) writeFileSync(kernel.module, await kernelModule(kernel));
