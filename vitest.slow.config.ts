import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The slow proofs. `npm run test:slow -- --short` runs their short forms: see tools/test-slow.mjs. */
const slow = mergeConfig(
  base,
  defineConfig({ test: { testTimeout: 3_600_000, hookTimeout: 600_000, fileParallelism: false } }),
);
slow.test = {
  ...slow.test,
  include: ["packages/*/test/**/*.slow.test.ts", "test/**/*.slow.test.ts"],
  exclude: ["**/node_modules/**"],
};
export default slow;
