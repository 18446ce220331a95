import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";
import { buildPage } from "./build-page.ts";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: true,
  clean: true,
  onSuccess: () => buildPage(fileURLToPath(new URL("./dist/page/", import.meta.url))),
});
