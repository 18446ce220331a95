import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import loadAssembler from "wabt";

/** The assembly source of the scan's kernel. */
export const KERNEL_SOURCE = fileURLToPath(new URL("./scan-kernel.wat", import.meta.url));

/** The module that the scan loads, with the assembled kernel in it. */
export const KERNEL_MODULE = fileURLToPath(new URL("../../packages/core/src/vector/scan-kernel.ts", import.meta.url));

/** Assembles the kernel and returns the source text of {@link KERNEL_MODULE}. */
export async function kernelModule(): Promise<string> {
  const assembler = await loadAssembler();
  // As text: bytes may be a view into a larger buffer (Node 24 reads small files into one), all of which the assembler would read.
  const module = assembler.parseWat("scan-kernel.wat", readFileSync(KERNEL_SOURCE, "utf8"), { simd: true });
  module.resolveNames();
  module.validate();
  const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
  module.destroy();
  return [
    "/** The assembled `tools/simd/scan-kernel.wat`, made by `npx tsx tools/simd/make.ts`; do not edit. */",
    "export const SCAN_KERNEL_BASE64 =",
    `  "${base64}";`,
    "",
  ].join("\n");
}
