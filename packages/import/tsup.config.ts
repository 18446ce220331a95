import { defineConfig } from "tsup";

export default defineConfig({
  // Files that could harm are converted by a program of its own, which is started by its address beside the index, and has a thread that watches it.
  entry: {
    index: "src/index.ts",
    files: "src/files/index.ts",
    "convert-program": "src/isolated/convert-program.ts",
    watcher: "src/isolated/watcher.js",
  },
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: { entry: { index: "src/index.ts", files: "src/files/index.ts" } },
  clean: true,
});
