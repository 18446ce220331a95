import { defineConfig } from "tsup";

export default defineConfig({
  // The worker is a program of its own: the pool starts it by its address beside the index.
  entry: { index: "src/index.ts", worker: "src/worker.js" },
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  clean: true,
});
