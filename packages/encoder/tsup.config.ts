import { defineConfig } from "tsup";

// The worker's part is not built: programs of processes import it as it stands in `worker/`, from the sources as from the package.
export default defineConfig({
  entry: { index: "src/index.ts" },
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  clean: true,
});
