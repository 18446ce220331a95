import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import { lawFiles } from "./test/support/law-files.ts";
import base from "./vitest.config.ts";

/** The slow proofs, and in full the laws that the quick suite tries a few times. `npm run test:slow -- --short` runs their short forms: see tools/test-slow.mjs. */
const slow = mergeConfig(
  base,
  defineConfig({
    test: { testTimeout: 3_600_000, hookTimeout: 600_000, fileParallelism: false, env: { TESTS_LAWS: "full" } },
  }),
);
slow.test = {
  ...slow.test,
  include: [
    "packages/*/test/**/*.slow.test.ts",
    "test/**/*.slow.test.ts",
    ...lawFiles(fileURLToPath(new URL(".", import.meta.url))),
  ],
  exclude: ["**/node_modules/**"],
};
export default slow;
