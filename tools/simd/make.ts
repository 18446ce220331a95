import { writeFileSync } from "node:fs";
import { kernelModule, MAX_SIM_KERNEL, ROWS_KERNEL, SCAN_KERNEL, TURN_KERNEL } from "./assemble.ts";

for (const kernel of [SCAN_KERNEL, ROWS_KERNEL, TURN_KERNEL, MAX_SIM_KERNEL]) {
  writeFileSync(kernel.module, await kernelModule(kernel));
}
