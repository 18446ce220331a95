import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", files: "src/files/index.ts" },
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: true,
  clean: true,
});
