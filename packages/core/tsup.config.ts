import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", testing: "testing/index.ts" },
  format: ["esm"],
  target: "node20",
  platform: "node",
  // What makes a bot or an engine is nobody's to call: its types would bring all inner ones along.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
});
