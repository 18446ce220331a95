import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import loadAssembler from "wabt";

/** An assembly source beside this file, and the module that has its assembled bytes. */
export interface Kernel {
  readonly source: string;
  readonly module: string;
  /** What the module exports the bytes as. */
  readonly exported: string;
}

export const SCAN_KERNEL: Kernel = {
  source: "scan-kernel.wat",
  module: moduleOfCore("index/vectors/scan-kernel.ts"),
  exported: "SCAN_KERNEL_BASE64",
};

export const ROWS_KERNEL: Kernel = {
  source: "rows-kernel.wat",
  module: moduleOfCore("embedding/rows-kernel.ts"),
  exported: "ROWS_KERNEL_BASE64",
};

export const TURN_KERNEL: Kernel = {
  source: "turn-kernel.wat",
  module: fileURLToPath(new URL("../../packages/encoder/worker/turn-kernel.js", import.meta.url)),
  exported: "TURN_KERNEL_BASE64",
};

export const MAX_SIM_KERNEL: Kernel = {
  source: "max-sim-kernel.wat",
  module: moduleOfCore("search/rerank/max-sim-kernel.ts"),
  exported: "MAX_SIM_KERNEL_BASE64",
};

/** Assembles a kernel and returns the source text of its module. */
export async function kernelModule({ source, exported }: Kernel): Promise<string> {
  const assembler = await loadAssembler();
  const path = fileURLToPath(new URL(source, import.meta.url));
  // As text: bytes may be a view into a larger buffer (Node 24 reads small files into one), all of which the assembler would read.
  const module = assembler.parseWat(source, readFileSync(path, "utf8"), { simd: true });
  module.resolveNames();
  module.validate();
  const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
  module.destroy();
  return [
    `/** The assembled \`tools/simd/${source}\`, made by \`npx tsx tools/simd/make.ts\`; do not edit. */`,
    `export const ${exported} =`,
    `  "${base64}";`,
    "",
  ].join("\n");
}

function moduleOfCore(path: string): string {
  return fileURLToPath(new URL(`../../packages/core/src/${path}`, import.meta.url));
}
