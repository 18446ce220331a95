import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: true,
  // Built where it is installed, and found there.
  external: ["hnswlib-node"],
  sourcemap: true,
  clean: true,
});
