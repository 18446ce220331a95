import { defineConfig } from "tsup";

export default defineConfig({
  // The first line of cli.ts stays, and makes the bin a program.
  entry: ["src/index.ts", "src/cli.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: { entry: "src/index.ts" },
  clean: true,
});
